// Deletes partitions of any size, depth first: the descendants of an item are deleted before the item. So the remaining
// items always lead to the remaining descendants, and an interrupted purge can start again.
import { inParallel } from "../concurrency.ts";
import { deleteAll } from "../dynamodb/batch-write.ts";
import type { Item } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { commitEach } from "../jobs/commit.ts";
import { type Job, jobKey } from "../jobs/job.ts";
import * as JobStore from "../jobs/store.ts";
import { isWithin, type WorkspaceRef } from "../store/refs.ts";
import { descendantsOf } from "./descendants.ts";

const partitionsInFlight = 4;
/** Items between two checks of the time. Without this limit, a page of 1 MB can have ten times as many. */
const pageItems = 1_000;

/**
 * Deletes the jobs of a deleted workspace, except its purges: only a purge knows what it must delete. Failed purges run
 * again. Returns whether it deleted any job.
 */
export async function deleteJobs({ id, workspace }: Job): Promise<boolean> {
  let found = false;
  for await (const page of JobStore.listed()) {
    const others = page.filter((job) => job.workspace === workspace && job.id !== id);
    const failed = others.filter((job) => job.kind === "purge" && job.state === "failed");
    await inParallel(failed, partitionsInFlight, (job) => JobStore.retry(job, Date.now()));
    const keys = others.filter((job) => job.kind !== "purge").map((job) => jobKey(job.id));
    // The index is eventually consistent: it can still list deleted jobs.
    const present = (await Table.getMany(keys)).filter((job) => job !== undefined).length;
    found ||= present > 0;
    await deleteAll(keys);
  }
  return found;
}

/** Deletes all items of a partition. `isDone` is false when it stopped at `until` (ms since the epoch). */
export async function emptyPartition(
  { workspace }: WorkspaceRef,
  pk: string,
  until: number,
): Promise<{ found: boolean; isDone: boolean }> {
  if (!isWithin(workspace, pk)) throw new Error(`${pk} is not a partition of ${workspace}.`);
  let found = false;
  for await (const items of Table.all<Item>({ pk, limit: pageItems })) {
    found = true;
    const descendants = items.map((item) => descendantsOf(workspace, item));
    const partitions = descendants.flatMap((each) => each.partitions);
    const emptied = await inParallel(partitions, partitionsInFlight, (each) =>
      emptyPartition({ workspace }, each, until),
    );
    if (emptied.some(({ isDone }) => !isDone)) return { found, isDone: false };
    await deleteAll(descendants.flatMap((each) => each.items));
    await commitEach(descendants.flatMap((each) => each.conditional).map((write) => ({ writes: [write] })));
    await deleteAll(items);
    if (Date.now() > until) return { found, isDone: false };
  }
  return { found, isDone: true };
}
