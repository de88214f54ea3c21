// Removal of any amount. A partition is emptied from the leaves: what hangs from an item goes before the item, so what is
// left always leads to what is still to be done, and a purge that is stopped anywhere just starts again.
import { inParallel } from "./concurrency.ts";
import { type Job, newJob } from "./jobs.ts";
import { removeAll } from "./store/commit.ts";
import { hangingFrom } from "./store/hanging.ts";
import { isWithin } from "./store/keys.ts";
import * as Table from "./store/table.ts";

const partitionsInFlight = 4;

/** The job that empties partitions with all that hangs from their items. */
export function purgeJob(workspace: string, partitions: readonly string[]): Job {
  return newJob("purge", workspace, { partitions });
}

/** Empties a partition. `isDone` is false where `until` (ms since the epoch) came first. */
export async function emptyPartition(
  workspace: string,
  pk: string,
  until: number,
): Promise<{ found: boolean; isDone: boolean }> {
  if (!isWithin(workspace, pk)) throw new Error(`${pk} is no partition of ${workspace}.`);
  let found = false;
  for await (const items of Table.all<Table.Item>({ pk })) {
    found = true;
    const hanging = items.map((item) => hangingFrom(workspace, item));
    const partitions = hanging.flatMap((each) => each.partitions);
    const emptied = await inParallel(partitions, partitionsInFlight, (each) => emptyPartition(workspace, each, until));
    if (emptied.some(({ isDone }) => !isDone)) return { found, isDone: false };
    await removeAll(hanging.flatMap((each) => each.items));
    await removeAll(items);
    if (Date.now() > until) return { found, isDone: false };
  }
  return { found, isDone: true };
}
