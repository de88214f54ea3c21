// Claims and ends jobs. The condition of a worker's write is the worker's lease, so a worker that continues after its
// lease has ended changes nothing. Sometimes several processes can make the same write, and only one may continue. Then
// the write is a transaction. Without its token, a process could not tell its own write from the write of another
// process.
import { randomUUID } from "node:crypto";
import * as Table from "../dynamodb/table.ts";
import type { Condition } from "../dynamodb/write.ts";
import { writeAlone } from "../dynamodb/write-alone.ts";
import { ttlAfter } from "../retention.ts";
import { type DueJob, duePartition, failedPartition, type Job, jobEntity, jobKey, type Report } from "../store/job.ts";
import { commit } from "./commit.ts";

export async function get(id: string): Promise<Job | undefined> {
  return Table.get<Job>(jobKey(id));
}

export type Running = Job & { leaseId: string };

/** Most claims of a job in a row without a successful step. A dead worker records nothing but its claim. */
export const attemptsMax = 10;

/**
 * The state of a message's job. `none`: no job to run, since it has ended or another worker has it. `early`: the job is
 * not due yet. `exhausted`: the worker of its last attempt died, and the job is failed now.
 */
export type Claim =
  | { outcome: "claimed"; job: Running; waitedMs: number }
  | { outcome: "early" | "exhausted"; job: Job; waitedMs?: undefined }
  | { outcome: "none"; job?: undefined; waitedMs?: undefined };

const none: Claim = { outcome: "none" };

/**
 * A job that waits longer than this gets a new place in the index. A job that waits less keeps its place: the sweeper
 * reads it at most once more, which costs less than two writes of the index.
 */
const indexedMs = 120_000;

/** The sweeper must not look at a job later than at its `dueAt`. After a sweep, `sweepAt` can be a day ahead. */
const notAfter = (dueAt: number, { sweepAt }: Job) =>
  sweepAt !== undefined && dueAt < sweepAt ? { sweepAt: dueAt } : {};

/** Claims the job for `leaseMs`, if it is due or was swept, and has an attempt left. `waitedMs`: since it was due. */
export async function claim(id: string, leaseMs: number): Promise<Claim> {
  const job = await get(id);
  const now = Date.now();
  if (!job || job.state === "done" || job.state === "failed") return none;
  if (job.state === "running" && job.dueAt > now) return none;
  // A sweep sends a job at once, and stores the time of the next sweep as its `dueAt`.
  if (job.state === "waiting" && job.sweeps === 0 && job.dueAt > now) return { outcome: "early", job };
  if (job.attempts >= attemptsMax) {
    return (await commit([ending(job, "failed", asRead(job))])) ? { outcome: "exhausted", job } : none;
  }
  const leaseId = randomUUID();
  const dueAt = now + leaseMs;
  const set = { state: "running", leaseId, dueAt, attempts: job.attempts + 1, ...notAfter(dueAt, job) } as const;
  const write = jobEntity.update({ jobId: id }, { set, remove: ["woken"] }, asRead(job));
  const claimed = await writeAlone<Job>(write, (stored) => stored.leaseId === leaseId);
  const waitedMs = Math.max(0, now - job.dueAt);
  return claimed ? { outcome: "claimed", job: { ...job, ...set }, waitedMs } : none;
}

/** No other worker has claimed the job since it was read, nor claimed it and put it back. */
const asRead = ({ state, leaseId, dueAt, attempts }: DueJob) => ({ state, leaseId, dueAt, attempts });

/**
 * Ends the job. A done job keeps only `report`, or the report in its payload. A failed job stays in the index, in a
 * partition that no sweep reads. The failed job of a deletion never expires: it stays until it is retried. Returns
 * false when another worker has claimed the job, or when the job is done and was woken meanwhile.
 */
export async function finish(job: Job, state: "done" | "failed", report: Report = job.payload): Promise<boolean> {
  const condition = state === "done" ? unwoken(job) : { leaseId: job.leaseId };
  // Only the holder of the lease ends the job.
  return writeAlone<Job>(ending(job, state, condition, report), (stored) => stored.state === state);
}

const marking: ReadonlySet<Job["shownAs"]> = new Set<Job["shownAs"]>(["folder-deletion", "organization-deletion"]);

function ending(job: Job, state: "done" | "failed", condition: Condition, { progress, failure }: Report = {}) {
  const isFailed = state === "failed";
  // The data of a deletion is marked until its job is done. So the job must not end before.
  const hasEnd = !isFailed || !marking.has(job.shownAs);
  const ttl = hasEnd ? ttlAfter(isFailed ? "failedJob" : "doneJob") : undefined;
  const now = Date.now();
  const report = { ...(progress && { progress }), ...(failure !== undefined && { failure }) };
  const set = {
    state,
    ttl,
    ...(isFailed && { due: failedPartition(job), dueAt: now, sweepAt: now }),
    ...(!isFailed && { payload: report }),
  };
  const remove = isFailed ? (["leaseId"] as const) : (["due", "sweepAt", "leaseId"] as const);
  return jobEntity.update({ jobId: job.id }, { set, remove }, condition);
}

/** Makes a failed job due at `dueAt` (ms since the epoch). Returns false when it is no longer failed. */
export async function retry(job: Pick<Job, "id" | "workspace">, dueAt: number): Promise<boolean> {
  const set = { state: "waiting", due: duePartition(job), dueAt, sweepAt: dueAt, attempts: 0, sweeps: 0 } as const;
  return commit([jobEntity.update({ jobId: job.id }, { set, remove: ["ttl"] }, { state: "failed" })]);
}

/** Whether a stored job is the result of a write that made it wait until this time. */
const isWaitingFor = (dueAt: number) => (stored: Job) => stored.state === "waiting" && stored.dueAt === dueAt;

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
  const dueAt = Date.now() + delaySeconds * 1_000;
  const isFar = dueAt > (job.sweepAt ?? 0) + indexedMs;
  const place = isFar ? { sweepAt: dueAt } : notAfter(dueAt, job);
  const set = { state: "waiting", payload, dueAt, attempts, sweeps: 0, ...place } as const;
  const condition = evenIfWoken ? { leaseId: job.leaseId } : unwoken(job);
  const write = jobEntity.update({ jobId: job.id }, { set, remove: ["leaseId"] }, condition);
  return writeAlone(write, isWaitingFor(dueAt));
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
  const set = { state: "waiting", dueAt, sweepAt: dueAt, sweeps: job.sweeps + 1 } as const;
  const unmoved = { dueAt: job.dueAt, leaseId: job.leaseId };
  const write = jobEntity.update({ jobId: job.id }, { set, remove: ["leaseId"] }, unmoved);
  // A sweeper can take the write of another one for its own. Then both send the job, which is harmless.
  return writeAlone(write, isWaitingFor(dueAt));
}

/** Undoes the postponement to `dueAt`. `job`: as it was before. Returns false when it has changed meanwhile. */
export async function resume(job: DueJob, dueAt: number): Promise<boolean> {
  const set = { dueAt: job.dueAt, sweepAt: job.sweepAt ?? job.dueAt, sweeps: job.sweeps };
  const postponed = { state: "waiting", dueAt, sweeps: job.sweeps + 1 };
  const write = jobEntity.update({ jobId: job.id }, { set }, postponed);
  return writeAlone(write, isWaitingFor(job.dueAt));
}

/** Lets the sweeper look at a waiting job when it is due, not before. Returns false when the job has changed. */
export async function look(job: DueJob): Promise<boolean> {
  const write = jobEntity.update({ jobId: job.id }, { set: { sweepAt: job.dueAt } }, asRead(job));
  return writeAlone<Job>(write, (stored) => stored.sweepAt === job.dueAt);
}
