// Removal of any amount. A partition is emptied from the leaves: what hangs from an item goes before the item, so what is
// left always leads to what is still to be done, and a purge that is stopped anywhere just starts again.
import { inParallel } from "../concurrency.ts";
import { config } from "../config.ts";
import * as Table from "../dynamodb/table.ts";
import { removeAll } from "../jobs/commit.ts";
import { type Job, newJob } from "../jobs/queue.ts";
import * as JobStore from "../jobs/store.ts";
import { isWithin, keys, shardCount } from "../store/keys.ts";
import { memoryKeys } from "../store/memory-keys.ts";
import { hangingFrom } from "./descendants.ts";

const partitionsInFlight = 4;
/** Between two looks at the time: a page of 1 MB can hold ten times as many. */
const pageItems = 1_000;
/**
 * The job that empties partitions with all that hangs from their items. When it starts, every call that read a pointer
 * before its deletion has ended, and so has every container's memory of a credential. A pass removes what leads on to
 * other partitions: what was written there later, none would find again.
 */
export function purgeJob(workspace: string, partitions: readonly string[]): Job {
  return newJob("purge", workspace, { partitions }, config.purgeStartSeconds());
}

/** The job that empties a whole workspace: what hangs from its organizations before what leads to them. */
export function workspacePurgeJob(workspace: string): Job {
  const shards = Array.from({ length: shardCount }, (_, shard) => shard);
  const partitions = [
    ...shards.map((shard) => keys.organizationShard(workspace, shard)),
    ...shards.map((shard) => keys.idempotencyShard(workspace, shard)),
    ...shards.map((shard) => keys.ingestRunShard(workspace, shard)),
    memoryKeys.months(workspace),
    memoryKeys.sources(workspace),
    memoryKeys.agent(workspace, "").pk,
    keys.workspace(workspace).pk,
  ];
  return newJob("purge", workspace, { partitions, withJobs: true }, config.purgeStartSeconds());
}

/**
 * Takes away what a deleted workspace has still to do, but for its purges, which hold the only trace of what they
 * remove: those that failed run again. Answers whether there was any.
 */
export async function dropJobs({ id, workspace }: Job): Promise<boolean> {
  let found = false;
  for await (const page of JobStore.listed()) {
    const others = page.filter((job) => job.workspace === workspace && job.id !== id);
    const failed = others.filter((job) => job.kind === "purge" && job.state === "failed");
    await inParallel(failed, partitionsInFlight, (job) => JobStore.retry(job, Date.now()));
    const doomed = others.filter((job) => job.kind !== "purge").map((job) => keys.job(job.id));
    // The index can still list what is gone.
    const present = (await Table.getMany(doomed)).filter((job) => job !== undefined).length;
    found ||= present > 0;
    await removeAll(doomed);
  }
  return found;
}

/** Empties a partition. `isDone` is false where `until` (ms since the epoch) came first. */
export async function emptyPartition(
  workspace: string,
  pk: string,
  until: number,
): Promise<{ found: boolean; isDone: boolean }> {
  if (!isWithin(workspace, pk)) throw new Error(`${pk} is no partition of ${workspace}.`);
  let found = false;
  for await (const items of Table.all<Table.Item>({ pk, limit: pageItems })) {
    found = true;
    const hanging = items.map((item) => hangingFrom(workspace, item));
    const partitions = hanging.flatMap((each) => each.partitions);
    const emptied = await inParallel(partitions, partitionsInFlight, (each) => emptyPartition(workspace, each, until));
    if (emptied.some(({ isDone }) => !isDone)) return { found, isDone: false };
    await removeAll(hanging.flatMap((each) => each.items));
    await Table.commitEach(hanging.flatMap((each) => each.names).map((write) => ({ writes: [write] })));
    await removeAll(items);
    if (Date.now() > until) return { found, isDone: false };
  }
  return { found, isDone: true };
}
