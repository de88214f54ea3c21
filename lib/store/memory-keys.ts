// Keys of the workspace's memory: judgments by organization and month, with a directory of those months and a log of
// what changed in each, so that an index kept by a container can be brought up to date without reading it anew; and
// knowledge, whose chunks hang from the uid of its source.
import { type Key, keys, segment } from "./keys.ts";

export const memoryKeys = {
  /** `organizationId` is empty for judgments of the workspace itself; `month` is yyyy-mm. */
  judgments: (workspace: string, organizationId: string, month: string) =>
    `${keys.workspace(workspace).pk}#J#${segment(organizationId)}#M#${month}`,
  judgment: (workspace: string, organizationId: string, createdAt: string, recordId: string): Key => ({
    pk: memoryKeys.judgments(workspace, organizationId, createdAt.slice(0, 7)),
    sk: `${createdAt}#${segment(recordId)}`,
  }),
  /** Where a record is stored, so that the same id again replaces it. */
  recordName: (workspace: string, recordId: string): Key => ({
    pk: `${keys.workspace(workspace).pk}#JR#${segment(recordId)}`,
    sk: "RECORD",
  }),
  months: (workspace: string) => `${keys.workspace(workspace).pk}#JD`,
  month: (workspace: string, organizationId: string, month: string): Key => ({
    pk: memoryKeys.months(workspace),
    sk: `${segment(organizationId)}#${month}`,
  }),
  changes: (judgments: string) => judgments.replace("#J#", "#JL#"),
  /** Padded, so that versions sort as numbers. */
  change: (judgments: string, version: number): Key => ({
    pk: memoryKeys.changes(judgments),
    sk: String(version).padStart(12, "0"),
  }),
  agent: (workspace: string, agentId: string): Key => ({
    pk: `${keys.workspace(workspace).pk}#AGENTS`,
    sk: segment(agentId),
  }),
  source: (workspace: string, sourceId: string): Key => ({
    pk: memoryKeys.sources(workspace),
    sk: segment(sourceId),
  }),
  sources: (workspace: string) => `${keys.workspace(workspace).pk}#KD`,
  chunk: (workspace: string, uid: string, index: number): Key => ({
    pk: memoryKeys.chunks(workspace, uid),
    sk: String(index).padStart(6, "0"),
  }),
  chunks: (workspace: string, uid: string) => `${keys.workspace(workspace).pk}#K#${uid}`,
};
