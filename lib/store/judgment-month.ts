// The months that have judgments, each with a version, and a log of the records that changed in each version. With the
// log, a container updates its index of a month without reading the whole month again.
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import type { Descendants } from "./descendants.ts";
import { judgmentEntity, type MonthRef } from "./judgment.ts";
import { type OrganizationRef, type WorkspaceRef, workspacePartition } from "./refs.ts";

/** A month of one organization's judgments, or of the workspace's own (`organizationId` empty). */
export interface JudgmentMonth {
  organizationId: string;
  /** yyyy-mm. */
  month: string;
  /** The number of writes to the month. */
  version: number;
  /** The number of its records. */
  size: number;
}

export const judgmentMonthEntity = entity<JudgmentMonth>()({
  name: "judgment-month",
  attributes: { organizationId: true, month: true, version: true, size: true },
  pk: ({ workspace }: WorkspaceRef) => `${workspacePartition({ workspace })}#JD`,
  sk: ({ organizationId, month }: Pick<JudgmentMonth, "organizationId" | "month">) =>
    `${segment(organizationId)}#${month}`,
});

interface JudgmentChange {
  /** Sort keys of the records that the version changed. */
  records: string[];
  ttl: number;
}

/** Versions are padded, so that they sort as numbers. */
export const judgmentChangeEntity = entity<JudgmentChange>()({
  name: "judgment-change",
  attributes: { records: true, ttl: true },
  pk: ({ workspace, organizationId, month }: MonthRef) =>
    `${workspacePartition({ workspace })}#JL#${segment(organizationId)}#M#${month}`,
  sk: ({ version }: Pick<JudgmentMonth, "version">) => String(version).padStart(12, "0"),
});

/** The month's judgments, and the log of their changes. */
export const judgmentMonthDescendants = (month: MonthRef): Descendants => ({
  partitions: [judgmentEntity.partition(month), judgmentChangeEntity.partition(month)],
});

/** The items of all months of one organization. */
export function rangeOf(organization: OrganizationRef) {
  const { pk, sk } = judgmentMonthEntity.key({ ...organization, month: "" });
  return { pk, beginsWith: sk };
}

/** The months that have judgments, of one organization or of the whole workspace. */
export async function list({ workspace }: WorkspaceRef, organizationId?: string): Promise<JudgmentMonth[]> {
  const range =
    organizationId === undefined ? judgmentMonthEntity.range({ workspace }) : rangeOf({ workspace, organizationId });
  return (await Array.fromAsync(Table.all<JudgmentMonth>(range))).flat();
}

/**
 * The sort keys of the records that changed after version `after`. Returns undefined when the log is incomplete up to
 * version `until`, because its entries expire.
 */
export async function changedSince(month: MonthRef, after: number, until: number): Promise<string[] | undefined> {
  const { pk, sk } = judgmentChangeEntity.key({ ...month, version: after });
  const changes = (await Array.fromAsync(Table.all<JudgmentChange>({ pk, after: sk }))).flat();
  return changes.length >= until - after ? [...new Set(changes.flatMap(({ records }) => records))] : undefined;
}
