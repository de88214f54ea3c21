// Lists jobs through the index `sweep`. The index has only ids and times, so a change of a job's state needs no write
// of the index. A list reads the jobs themselves.
import { queryDue } from "../dynamodb/index-query.ts";
import * as Table from "../dynamodb/table.ts";
import { type DueJob, jobEntity, jobKey, partitionsOf } from "../store/job.ts";

/** Where a list of jobs continues: a partition of the index, and the last key that was read. */
export interface ListCursor {
  due: string;
  after?: Record<string, unknown>;
}

/** All jobs that are not done, in pages; with a workspace, only its jobs. The failed jobs come last. */
export async function* listed(workspace?: string): AsyncGenerator<DueJob[]> {
  for await (const { jobs } of pages(workspace)) yield jobs;
}

/** The same pages from a cursor on. `next`: the cursor of the page after this one. */
export async function* pages(
  workspace?: string,
  from?: ListCursor,
): AsyncGenerator<{ jobs: DueJob[]; next?: ListCursor }> {
  const partitions = partitionsOf(workspace);
  for (let cursor: ListCursor = from ?? { due: partitions[0] as string }; ; ) {
    const { due, after } = cursor;
    const page = await queryDue<{ id: string }>({ due, limit: pageSize }, after);
    const following = partitions[partitions.indexOf(due) + 1];
    const next = page.next ? { due, after: page.next } : following === undefined ? undefined : { due: following };
    const jobs = await jobsOf(page.items);
    yield { jobs: jobs.filter((job) => workspace === undefined || job.workspace === workspace), ...(next && { next }) };
    if (!next) return;
    cursor = next;
  }
}

/** Jobs of one partition that the sweeper must look at before `before` (ms since the epoch), in pages. */
export async function* toSweep(due: string, before: number): AsyncGenerator<DueJob[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await queryDue<{ id: string }>({ due, before, limit: pageSize }, after);
    if (page.items.length > 0) yield await jobsOf(page.items);
    after = page.next;
  } while (after);
}

/** Jobs in one read. DynamoDB reads up to 16 MB in one request, also if it returns less. A job has at most 400 KB. */
export const pageSize = 40;

/** All attributes except the payload. The index does not have them: each change of a job would also write the index. */
const attributes = jobEntity.spec.attributes.filter((name) => name !== "payload");

/**
 * The jobs of up to `pageSize` entries of the index. Jobs that are done or deleted are omitted: the index is eventually
 * consistent, and can still list them.
 */
export async function jobsOf(entries: readonly { id: string }[]): Promise<DueJob[]> {
  if (entries.length === 0) return [];
  const keys = entries.map(({ id }) => jobKey(id));
  const jobs = await Table.getAttributes<DueJob>(keys, attributes);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return entries.flatMap(({ id }) => byId.get(id) ?? []).filter(({ state }) => state !== "done");
}
