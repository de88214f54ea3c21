// Claims and ends jobs. A worker's write has the worker's lease as its condition, so a worker that continues after its
// lease has ended changes nothing.
import { randomUUID } from "node:crypto";
import { queryDue } from "../dynamodb/index-query.ts";
import { allShards } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import type { Condition } from "../dynamodb/write.ts";
import { ttlAfter } from "../retention.ts";
import { commit } from "./commit.ts";
import { type DueJob, dueShard, type Job, jobEntity, jobKey } from "./job.ts";

/** The partition of the index `due` for failed jobs. The sweeper reads only the shards, so it never sends these. */
const failedPartition = "failed";

export async function get(id: string): Promise<Job | undefined> {
  return Table.get<Job>(jobKey(id));
}

export type Running = Job & { leaseId: string };

/**
 * Claims of one job in a row without a successful step. A worker that dies counts too: it records nothing, so only its
 * claim is known.
 */
export const attemptsMax = 10;

/**
 * What a message finds. `none`: no job to run, since it has ended or another worker has it. `early`: the job is not due
 * yet. `exhausted`: the worker of its last attempt died, and the job is failed now.
 */
export type Claim =
  | { outcome: "claimed"; job: Running; waitedMs: number }
  | { outcome: "early" | "exhausted"; job: Job; waitedMs?: undefined }
  | { outcome: "none"; job?: undefined; waitedMs?: undefined };

const none: Claim = { outcome: "none" };

/** Claims the job for `leaseMs`, if it is due or was swept, and has an attempt left. `waitedMs`: since it was due. */
export async function claim(id: string, leaseMs: number): Promise<Claim> {
  const job = await get(id);
  const now = Date.now();
  if (!job || job.state === "done" || job.state === "failed") return none;
  if (job.state === "running" && job.dueAt > now) return none;
  // A sweep sends a job at once, and stores the time of the next sweep as its `dueAt`.
  if (job.state === "waiting" && job.sweeps === 0 && job.dueAt > now) return { outcome: "early", job };
  if (job.attempts >= attemptsMax) {
    return (await end(job, "failed", asRead(job))) ? { outcome: "exhausted", job } : none;
  }
  const leaseId = randomUUID();
  const set = { state: "running", leaseId, dueAt: now + leaseMs, attempts: job.attempts + 1 } as const;
  const claimed = await commit([jobEntity.update({ jobId: id }, { set, remove: ["woken"] }, asRead(job))]);
  const waitedMs = Math.max(0, now - job.dueAt);
  return claimed ? { outcome: "claimed", job: { ...job, ...set }, waitedMs } : none;
}

/** No other worker has claimed the job since it was read, nor claimed it and put it back. */
const asRead = ({ state, leaseId, dueAt, attempts }: Job) => ({ state, leaseId, dueAt, attempts });

/**
 * Ends the job. A failed one stays in the index, in a partition that no sweep reads. Returns false when another worker
 * has claimed the job, or when the job is done and was woken meanwhile.
 */
export async function finish(job: Job, state: "done" | "failed"): Promise<boolean> {
  return end(job, state, state === "done" ? unwoken(job) : { leaseId: job.leaseId });
}

async function end(job: Job, state: "done" | "failed", condition: Condition): Promise<boolean> {
  const ttl = ttlAfter(state === "done" ? "doneJob" : "failedJob");
  const isFailed = state === "failed";
  const set = { state, ttl, ...(isFailed && { due: failedPartition, dueAt: Date.now() }) };
  const remove = isFailed ? (["leaseId"] as const) : (["due", "leaseId"] as const);
  return commit([jobEntity.update({ jobId: job.id }, { set, remove }, condition)]);
}

/** Makes a failed job due at `dueAt` (ms since the epoch). Returns false when it is no longer failed. */
export async function retry({ id }: Pick<Job, "id">, dueAt: number): Promise<boolean> {
  const set = { state: "waiting", due: dueShard(id), dueAt, attempts: 0, sweeps: 0 } as const;
  return commit([jobEntity.update({ jobId: id }, { set, remove: ["ttl"] }, { state: "failed" })]);
}

const unwoken = ({ leaseId }: Job) => ({ leaseId, woken: undefined });

/**
 * Makes a running job wait again, due after the delay. `attempts` is 0 after a step that succeeded, since only failures
 * in a row count. Returns false when another worker has claimed the job, or, without `evenIfWoken`, when the job was
 * woken meanwhile.
 */
export async function putBack(
  job: Job,
  { payload, delaySeconds, attempts, evenIfWoken = false }: PutBack,
): Promise<boolean> {
  const set = { state: "waiting", payload, dueAt: Date.now() + delaySeconds * 1_000, attempts, sweeps: 0 } as const;
  const condition = evenIfWoken ? { leaseId: job.leaseId } : unwoken(job);
  return commit([jobEntity.update({ jobId: job.id }, { set, remove: ["leaseId"] }, condition)]);
}

export interface PutBack {
  payload: Job["payload"];
  delaySeconds: number;
  attempts: number;
  evenIfWoken?: boolean;
}

/**
 * Makes an overdue job due at `dueAt`, so that no other sweep sends it before. Also removes a running job's ended
 * lease: the new `dueAt` would prolong the lease, and no worker could claim the job. Returns false when the job has
 * changed meanwhile.
 */
export async function postpone(job: DueJob, dueAt: number): Promise<boolean> {
  const set = { state: "waiting", dueAt, sweeps: job.sweeps + 1 } as const;
  const unmoved = { dueAt: job.dueAt, leaseId: job.leaseId };
  return commit([jobEntity.update({ jobId: job.id }, { set, remove: ["leaseId"] }, unmoved)]);
}

/** Where a list of jobs continues: a partition of the index, and the last key that was read. */
export interface ListCursor {
  due: string;
  after?: Record<string, unknown>;
}

/** All jobs that are not done, in pages. Each partition is in order of time; the failed jobs come last. */
export async function* listed(): AsyncGenerator<DueJob[]> {
  for await (const { jobs } of pages()) yield jobs;
}

/** The same pages from a cursor on. `next`: the cursor of the page after this one. */
export async function* pages(from?: ListCursor): AsyncGenerator<{ jobs: DueJob[]; next?: ListCursor }> {
  const partitions = [...allShards.map(String), failedPartition];
  for (let cursor: ListCursor = from ?? { due: "0" }; ; ) {
    const { due, after } = cursor;
    const page = await queryDue<DueJob>({ due }, after);
    const following = partitions[partitions.indexOf(due) + 1];
    const next = page.next ? { due, after: page.next } : following === undefined ? undefined : { due: following };
    yield { jobs: page.items, ...(next && { next }) };
    if (!next) return;
    cursor = next;
  }
}

/** Up to `limit` jobs of one shard that were due before `before` (ms since the epoch), the longest overdue first. */
export async function overdue(shard: number, before: number, limit: number): Promise<DueJob[]> {
  const jobs: DueJob[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page = await queryDue<DueJob>({ due: String(shard), before, limit: limit - jobs.length }, after);
    jobs.push(...page.items);
    after = page.next;
  } while (after && jobs.length < limit);
  return jobs;
}
