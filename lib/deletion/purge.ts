// Deletes partitions of any size, depth first: the descendants of an item are deleted before the item. So the remaining
// items always lead to the remaining descendants, and an interrupted purge can start again.
import { inParallel } from "../concurrency.ts";
import { deleteAll } from "../dynamodb/batch-write.ts";
import type { Item } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { commitEach } from "../jobs/commit.ts";
import * as JobList from "../jobs/list.ts";
import * as JobStore from "../jobs/store.ts";
import type { DeletedRange } from "../store/content/organization-deletion.ts";
import { entities } from "../store/entities.ts";
import { type Job, jobKey } from "../store/job.ts";
import { type Descendants, isWithin, type WorkspaceRef } from "../store/refs.ts";

const partitionsInFlight = 4;
/** Without this limit, a page of 1 MB can have ten times as many items. */
const pageItems = 1_000;
/**
 * Deletions between two checks of the time: about a second. One item alone can have more: a list of recipients leads to
 * up to 2,000 deletions.
 */
const stepDeletions = 500;

/** An item with its descendants. */
type Root = ReturnType<typeof descendantsOf> & { item: Item };

/**
 * Deletes the jobs of a deleted workspace, except its purges: only a purge knows the data that it must delete. Failed
 * purges run again. `found`: it deleted a job. `next`: where to continue, when it stopped at `until` (ms since the
 * epoch).
 */
export async function deleteJobs(
  { id, workspace }: Job,
  from: JobList.ListCursor | undefined,
  until: number,
): Promise<{ found: boolean; next?: JobList.ListCursor }> {
  let found = false;
  for await (const { jobs: page, next } of JobList.pages(workspace, from)) {
    const others = page.filter((job) => job.id !== id);
    const failed = others.filter((job) => job.kind === "purge" && job.state === "failed");
    await inParallel(failed, partitionsInFlight, (job) => JobStore.retry(job, Date.now()));
    const keys = others.filter((job) => job.kind !== "purge").map((job) => jobKey(job.id));
    found ||= keys.length > 0;
    await deleteAll(keys);
    if (next && Date.now() > until) return { found, next };
  }
  return { found };
}

/**
 * Deletes all items of a partition. `isDone` is false when it stopped at `until` (ms since the epoch). `remove` deletes
 * items of the partition, whose descendants are deleted already.
 */
export async function emptyPartition(
  ref: WorkspaceRef,
  pk: string,
  until: number,
  remove?: (items: Item[]) => Promise<void>,
) {
  return emptyRange(ref, { pk }, until, remove);
}

/** As `emptyPartition`, for a range of a partition. */
export async function emptyRange(
  { workspace }: WorkspaceRef,
  { except, of, ...range }: DeletedRange,
  until: number,
  remove: (items: Item[]) => Promise<void> = deleteAll,
): Promise<{ found: boolean; isDone: boolean }> {
  if (!isWithin(workspace, range.pk)) throw new Error(`${range.pk} is not a partition of ${workspace}.`);
  let found = false;
  for await (const page of Table.all<Item>({ ...range, limit: pageItems })) {
    const items = page.filter((item) => item.sk !== except && (of === undefined || item.organizationId === of));
    found ||= items.length > 0;
    for (const roots of stepsOf(items.map((item) => ({ item, ...descendantsOf(workspace, item) })))) {
      const isDeleted = await deleteRoots({ workspace }, roots, until, remove);
      if (!isDeleted || Date.now() > until) return { found, isDone: false };
    }
  }
  return { found, isDone: true };
}

/** Divides the items of a page into steps. Each step deletes its items, so the next run has fewer. */
function stepsOf(roots: readonly Root[]): Root[][] {
  const steps: Root[][] = [];
  let room = 0;
  for (const root of roots) {
    const deletions = 1 + root.items.length + root.conditional.length;
    if (deletions > room) {
      steps.push([]);
      room = stepDeletions;
    }
    steps.at(-1)?.push(root);
    room -= deletions;
  }
  return steps;
}

/** Returns false when it stopped at `until`, before the items themselves were deleted. */
async function deleteRoots(
  ref: WorkspaceRef,
  roots: readonly Root[],
  until: number,
  remove: (items: Item[]) => Promise<void>,
): Promise<boolean> {
  const partitions = roots.flatMap((each) => each.partitions);
  const emptied = await inParallel(partitions, partitionsInFlight, (each) => emptyPartition(ref, each, until));
  if (emptied.some(({ isDone }) => !isDone)) return false;
  await deleteAll(roots.flatMap((each) => each.items));
  // Two notifications of a document have the same pointer if the first one ended before the second one was added. A
  // transaction takes one write of an item.
  const conditional = new Map(roots.flatMap((each) => each.conditional).map((write) => [JSON.stringify(write), write]));
  await commitEach([...conditional.values()].map((write) => ({ writes: [write] })));
  await remove(roots.map(({ item }) => item));
  return true;
}

const byName = new Map(entities.map((entity) => [entity.name, entity]));

/** The descendants of a stored item. Throws for an unknown entity: its descendants would be orphaned. */
export function descendantsOf(workspace: string, item: Item): Required<Descendants> {
  const entity = byName.get(String(item.entity));
  if (!entity) throw new Error(`The item ${item.pk} ${item.sk} names no known entity: ${String(item.entity)}.`);
  return { partitions: [], items: [], conditional: [], ...entity.descendantsOf({ ...item, workspace }) };
}
