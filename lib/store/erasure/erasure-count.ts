// The number of items that an erasure has removed or redacted so far. Each transaction that does so also writes the
// number. So each item is counted exactly once, also if a process dies, two processes run at once, or a write is
// repeated.
import { randomUUID } from "node:crypto";
import { deleteAll } from "../../dynamodb/batch-write.ts";
import { entity } from "../../dynamodb/entity.ts";
import { type Item, segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { ttlAfter } from "../../retention.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

/** Items by the name of their entity. */
export type Counts = Record<string, number>;

export interface Found {
  removed: Counts;
  redacted: Counts;
}

interface ErasureCount {
  what: keyof Found;
  counts: Counts;
  ttl: number;
}

type JobRef = WorkspaceRef & { jobId: string };

export const erasureCountEntity = entity<ErasureCount>()({
  name: "erasure-count",
  attributes: ["what", "counts", "ttl"],
  pk: (ref: WorkspaceRef, shard) => `${workspacePartition(ref)}#EC#${shard}`,
  sk: ({ jobId, countId }: { jobId: string; countId: string }) => `${segment(jobId)}#${countId}`,
  shardBy: ({ jobId }) => jobId,
});

/** The write that counts these items. It must be in the transaction that removes or redacts them. */
export function counting(ref: JobRef, what: keyof Found, items: readonly object[]): Write {
  const counts: Counts = {};
  for (const { entity: name } of items as readonly Partial<Item>[]) {
    counts[String(name)] = (counts[String(name)] ?? 0) + 1;
  }
  return erasureCountEntity.put({ ...ref, countId: randomUUID() }, { what, counts, ttl: ttlAfter("receipt") });
}

/** The write that marks a step of the job as done. Its condition fails if it is marked already. */
export const marking = (ref: JobRef, step: string): Write =>
  erasureCountEntity.put(
    { ...ref, countId: segment(step) },
    { what: "redacted", counts: {}, ttl: ttlAfter("receipt") },
    "absent",
  );

/** The sum of all counts of the jobs. */
export async function sum({ workspace }: WorkspaceRef, jobIds: readonly string[]): Promise<Found> {
  const found: Found = { removed: {}, redacted: {} };
  for (const jobId of jobIds) {
    for await (const page of Table.all<ErasureCount>(rangeOf({ workspace, jobId }))) {
      for (const { what, counts } of page) {
        const total = found[what];
        for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
      }
    }
  }
  return found;
}

/** How many items were removed or redacted. */
export const total = ({ removed, redacted }: Found): number =>
  [...Object.values(removed), ...Object.values(redacted)].reduce((sum, each) => sum + each, 0);

export async function remove(ref: JobRef): Promise<void> {
  for await (const page of Table.all<Item>(rangeOf(ref))) await deleteAll(page);
}

function rangeOf(ref: JobRef) {
  const { pk, sk } = erasureCountEntity.key({ ...ref, countId: "" });
  return { pk, beginsWith: sk };
}
