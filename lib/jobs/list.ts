// Lists jobs through the index `sweep`. The index has only ids and times, so that a change of a job's state does not write
// it. A list reads the jobs themselves.
import { queryDue } from "../dynamodb/index-query.ts";
import * as Table from "../dynamodb/table.ts";
import { type DueJob, type Job, jobKey, partitionsOf } from "./job.ts";

/** Where a list of jobs continues: a partition of the index, and the last key that was read. */
export interface ListCursor {
  due: string;
  after?: Record<string, unknown>;
}

/** All jobs that are not done, in pages; only those of one workspace if it is given. The failed jobs come last. */
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
    const jobs = await read(page.items);
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
    if (page.items.length > 0) yield await read(page.items);
    after = page.next;
  } while (after);
}

/** A page of jobs with large payloads, 400 KB each, is read in parts of 16 MB. */
const pageSize = 100;

/** The index is eventually consistent: it can still list jobs that are done or deleted. */
async function read(entries: readonly { id: string }[]): Promise<DueJob[]> {
  const jobs = await Table.getMany<Job>(entries.map(({ id }) => jobKey(id)));
  return jobs.flatMap((job) => (job && job.state !== "done" ? [withoutPayload(job)] : []));
}

function withoutPayload({ payload: _, ...job }: Job): DueJob {
  return job;
}
