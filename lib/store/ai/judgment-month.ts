// The months that have judgments. A counter of each month counts its writes, and a log has the records that each write
// changed. With the log, a container updates its index of a month without reading the whole month again.
import { randomInt } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import { type Item, type Key, segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import { deletionMarkEntity } from "../content/organization-life.ts";
import { type Descendants, type OrganizationRef, type WorkspaceRef, workspacePartition } from "../refs.ts";
import { judgmentEntity, type MonthRef } from "./judgment.ts";

/**
 * One counter of a month of an organization's judgments, or of the workspace's own (`organizationId` empty). Each write
 * to the month increments one counter of it. A month without concurrent writers has only the counter 0.
 */
export interface MonthCounter {
  organizationId: string;
  /** yyyy-mm. */
  month: string;
  /** Absent in the counter 0. */
  counter?: number;
  /** The number of writes by this counter. */
  version: number;
  /**
   * When the counter was created, ISO 8601. The month of an organization that was deleted and added again counts from 1
   * again.
   */
  since: string;
  /** The number of records that these writes added, minus the records that they moved to another month. */
  size: number;
}

/** A month with all its counters. */
export interface JudgmentMonth {
  organizationId: string;
  month: string;
  /** When the first of its counters was created. It identifies this life of the month. */
  since: string;
  /** The version of each counter. */
  versions: Versions;
  /** The number of its records. */
  size: number;
}

export type Versions = ReadonlyMap<number, number>;

/** Two of 16 concurrent writers rarely choose the same one. Each counter in use costs a search one small item. */
const countersMax = 16;

/** The counter for an attempt to write. After a conflict, writers spread over all counters. */
export const counterFor = (attempt: number) => (attempt === 0 ? 0 : randomInt(countersMax));

export const judgmentMonthEntity = entity<MonthCounter>()({
  name: "judgment-month",
  attributes: ["organizationId", "month", "counter", "version", "since", "size"],
  pk: ({ workspace }: WorkspaceRef) => `${workspacePartition({ workspace })}#JD`,
  sk: ({ organizationId, month, counter }: Pick<MonthCounter, "organizationId" | "month" | "counter">) =>
    `${segment(organizationId)}#${month}${counter ? `#${counter}` : ""}`,
});

interface JudgmentChange {
  /** Sort keys of the records that the version changed. */
  records: string[];
  ttl: number;
}

/** Versions are padded, so that they sort as numbers. */
export const judgmentChangeEntity = entity<JudgmentChange>()({
  name: "judgment-change",
  attributes: ["records", "ttl"],
  pk: ({ workspace, organizationId, month, counter }: MonthRef & Pick<MonthCounter, "counter">) =>
    `${workspacePartition({ workspace })}#JL#${segment(organizationId)}#M#${month}${counter ? `#${counter}` : ""}`,
  sk: ({ version }: Pick<MonthCounter, "version">) => String(version).padStart(12, "0"),
});

/** The month's judgments, and the counter's log of their changes. */
export const judgmentMonthDescendants = (month: MonthRef & Pick<MonthCounter, "counter">): Descendants => ({
  partitions: [judgmentEntity.partition(month), judgmentChangeEntity.partition(month)],
});

/** The counters of all months of one organization. */
export function rangeOf(organization: OrganizationRef) {
  const { pk, sk } = judgmentMonthEntity.key({ ...organization, month: "" });
  return { pk, beginsWith: sk };
}

/**
 * The months that have judgments, of one organization or of the whole workspace. It reads until it has used `unitsMax` read
 * units; `isPartial`: there are more.
 */
export async function list({ workspace }: WorkspaceRef, organizationId?: string, unitsMax = Number.POSITIVE_INFINITY) {
  const range =
    organizationId === undefined ? judgmentMonthEntity.range({ workspace }) : rangeOf({ workspace, organizationId });
  const { items, isPartial } = await Table.someOf<MonthCounter & Pick<Item, "entity">>(range, unitsMax);
  const isMark = ({ entity }: Pick<Item, "entity">) => entity === deletionMarkEntity.name;
  const deleted = new Set(items.filter(isMark).map((mark) => mark.organizationId));
  return { months: byMonth(items.filter((each) => !deleted.has(each.organizationId))), isPartial };
}

/** Joins the counters of each month. */
function byMonth(counters: readonly MonthCounter[]): JudgmentMonth[] {
  const months = new Map<string, JudgmentMonth & { versions: Map<number, number> }>();
  for (const { organizationId, month, counter = 0, version, since, size } of counters) {
    const key = JSON.stringify([organizationId, month]);
    const joined = months.get(key) ?? { organizationId, month, since, versions: new Map(), size: 0 };
    joined.versions.set(counter, version);
    joined.size += size;
    if (since < joined.since) joined.since = since;
    months.set(key, joined);
  }
  return [...months.values()];
}

/** Whether `known` has at least each of the versions. */
export const includes = (known: Versions, versions: Versions) =>
  [...versions].every(([counter, version]) => (known.get(counter) ?? 0) >= version);

/** The number of writes after the versions `known`. */
export const writesBetween = (known: Versions, versions: Versions) =>
  [...versions].reduce((sum, [counter, version]) => sum + Math.max(0, version - (known.get(counter) ?? 0)), 0);

/** The later version of each counter. */
export function latest(known: Versions, versions: Versions): Versions {
  const joined = new Map(known);
  for (const [counter, version] of versions) joined.set(counter, Math.max(version, joined.get(counter) ?? 0));
  return joined;
}

/**
 * The sort keys of the records that changed after the versions `known`. Returns undefined when the log is incomplete up
 * to the versions `until`, because its entries expire.
 */
export async function changedSince(month: MonthRef, known: Versions, until: Versions): Promise<string[] | undefined> {
  const records = new Set<string>();
  for (const [counter, version] of until) {
    const after = known.get(counter) ?? 0;
    if (after >= version) continue;
    const changes = await changesOf({ ...month, counter }, after);
    const wanted = changes.filter(({ sk }) => Number(sk) <= version);
    if (wanted.length < version - after) return undefined;
    for (const change of changes) for (const record of change.records) records.add(record);
  }
  return [...records];
}

/** The changes after a version, including changes that are later than any known version. */
async function changesOf(counter: MonthRef & Pick<MonthCounter, "counter">, version: number) {
  const { pk, sk } = judgmentChangeEntity.key({ ...counter, version });
  return Table.every<JudgmentChange & Key>({ pk, after: sk });
}
