// Judgments: decisions of reviewers, with reasons. Each judgment is stored in a month of its organization. An item
// under its record id points to it. `judgment-changes.ts` writes both.
import { entity } from "../../dynamodb/entity.ts";
import { type Key, segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Judgment } from "../../schema/memory.ts";
import { distinct } from "../../schema/primitives.ts";
import { getStored, isBeingDeleted } from "../content/organization-life.ts";
import { type Descendants, type OrganizationRef, type WorkspaceRef, workspacePartition } from "../refs.ts";

/** A month of one organization's judgments. `organizationId` is empty for judgments of the workspace itself. */
export interface MonthRef extends OrganizationRef {
  /** yyyy-mm. */
  month: string;
}

export const judgmentEntity = entity<Judgment>()({
  name: "judgment",
  attributes: [
    "recordId",
    "decision",
    "reasoning",
    "actionUser",
    "organizationId",
    "documentId",
    "annotationId",
    "createdAt",
  ],
  pk: ({ workspace, organizationId, month }: MonthRef) =>
    `${workspacePartition({ workspace })}#J#${segment(organizationId)}#M#${month}`,
  sk: ({ createdAt, recordId }: Pick<Judgment, "createdAt" | "recordId">) => `${createdAt}#${segment(recordId)}`,
});

/** The fields from which the key of a judgment follows, with its record id. */
export interface JudgmentLocation {
  organizationId: string;
  createdAt: string;
}

/** The location of the judgment with a record id, so that adding the same id again replaces the judgment. */
export const judgmentRecordEntity = entity<JudgmentLocation>()({
  name: "judgment-record",
  attributes: ["organizationId", "createdAt"],
  pk: ({ workspace, recordId }: WorkspaceRef & Pick<Judgment, "recordId">) =>
    `${workspacePartition({ workspace })}#JR#${segment(recordId)}`,
  sk: () => "RECORD",
});

/** The pointer under its record id, unless the record was moved to another place since the judgment was read. */
export function judgmentDescendants({ organizationId = "", createdAt, ...ref }: WorkspaceRef & Judgment): Descendants {
  return { conditional: [judgmentRecordEntity.delete(ref, { organizationId, createdAt })] };
}

export const monthOf = (createdAt: string) => createdAt.slice(0, 7);

/**
 * The judgments with these record ids, in their order; undefined where there is none, or its organization is being
 * deleted.
 */
export async function getByRecordIds(
  { workspace }: WorkspaceRef,
  recordIds: readonly string[],
): Promise<(Judgment | undefined)[]> {
  const keys = recordIds.map((recordId) => judgmentRecordEntity.key({ workspace, recordId }));
  const stored = await Table.getMany<JudgmentLocation>(keys);
  const found = stored.flatMap((location, index) => {
    return location ? [refOf({ workspace, recordId: recordIds[index] as string }, location)] : [];
  });
  const organizationIds = distinct(found.flatMap(({ organizationId }) => organizationId || []));
  const [judgments, organizations] = await Promise.all([
    getMany(found.map((ref) => judgmentEntity.key(ref))),
    getStored({ workspace }, organizationIds),
  ]);
  const deleted = new Set(organizations.filter(isBeingDeleted).map(({ organizationId }) => organizationId));
  const isShown = ({ organizationId = "" }: Judgment) => !deleted.has(organizationId);
  const byId = new Map(judgments.flatMap((each) => (each && isShown(each) ? [[each.recordId, each] as const] : [])));
  return recordIds.map((recordId) => byId.get(recordId));
}

/** The key fields of a judgment and of its pointer. */
export const refOf = (
  { workspace, recordId }: WorkspaceRef & Pick<Judgment, "recordId">,
  { organizationId, createdAt }: JudgmentLocation,
) => ({ workspace, recordId, organizationId, createdAt, month: monthOf(createdAt) });

/** The judgments under these keys, in their order; undefined where there is none. */
export async function getMany(keys: readonly Key[]): Promise<(Judgment | undefined)[]> {
  const items = await Table.getMany<object>(keys);
  return items.map((item) => item && judgmentEntity.attributesOf(item));
}
