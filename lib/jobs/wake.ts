// Wakes jobs that exist once under a fixed id, such as the job that makes an endpoint's deliveries. A woken job always
// runs after the call: a job that is running now is marked, and runs again instead of ending.
import { noteCaused } from "../call.ts";
import { inParallel } from "../concurrency.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { writeAlone } from "../dynamodb/write-alone.ts";
import { type DueJob, duePartition, type Job, jobCreation, jobEntity, jobKey } from "../store/job.ts";
import { sendPointers } from "./queue.ts";

/** A job that is due this soon is not woken: it has a message, and SQS delays by whole seconds. */
const soonMs = 1_000;
const writesInFlight = 8;

/**
 * Creates the jobs or makes them due at their `dueAt`, if that is earlier than before, then sends their messages. The
 * sweeper replaces messages that are lost.
 */
export async function wake(jobs: readonly Job[]): Promise<void> {
  let rest = jobs;
  await retryOnConflict("jobs", async () => {
    const found = await wakings(rest);
    const written = await inParallel(found, writesInFlight, ({ write, isOwn }) => writeAlone(write, isOwn));
    for (const { id } of rest) noteCaused("jobs", id);
    await sendPointers(found.flatMap(({ pointer }, index) => (written[index] && pointer ? [pointer] : [])));
    rest = found.flatMap(({ job }, index) => (written[index] ? [] : [job]));
    return rest.length === 0 ? undefined : conflict;
  });
}

interface Waking {
  job: Job;
  write: ReturnType<typeof jobEntity.update> | ReturnType<typeof jobCreation>;
  /** Whether a stored job is the result of the write. */
  isOwn(stored: Job): boolean;
  /** The message to send after the write. A running job needs none: it puts itself back. */
  pointer?: DueJob;
}

/** The writes that wake these jobs in their stored state. Omits jobs that will run anyway. */
async function wakings(jobs: readonly Job[]): Promise<Waking[]> {
  const stored = await Table.getMany<Job>(jobs.map(({ id }) => jobKey(id)));
  return jobs.flatMap((job, index) => waking(job, stored[index]) ?? []);
}

function waking(job: Job, stored: Job | undefined): Waking | undefined {
  if (!stored) return { job, write: jobCreation(job), isOwn: isWaitingAt(job.dueAt), pointer: job };
  const jobId = job.id;
  const { state, leaseId, dueAt, attempts, sweepAt } = stored;
  // `dueAt` of a running job is the end of its lease. Its run itself looks for work that is due later.
  if (state === "running" && dueAt > Date.now()) {
    if (stored.woken) return undefined;
    const write = jobEntity.update({ jobId }, { set: { woken: true } }, { state, leaseId });
    return { job, write, isOwn: (after) => after.leaseId === leaseId && after.woken === true };
  }
  // After a failed run, the job waits for its next attempt.
  if (state === "waiting" && (attempts > 0 || dueAt <= job.dueAt + soonMs)) return undefined;
  const { payload, workspace, kind, causedBy } = job;
  // A job whose worker died is overdue. It keeps its attempts. Otherwise a job that is woken often would never fail.
  const isOverdue = state === "running";
  const start = { dueAt: isOverdue ? Math.min(dueAt, job.dueAt) : job.dueAt, attempts: isOverdue ? attempts : 0 };
  const fresh = {
    kind,
    workspace,
    payload,
    ...(causedBy && { causedBy }),
    state: "waiting",
    sweeps: 0,
    ...start,
  } as const;
  // The sweeper must look at the job then, or before. Then the index needs no write.
  const isIndexed = state !== "failed" && sweepAt !== undefined && sweepAt <= start.dueAt;
  const place = isIndexed ? {} : { due: duePartition(job), sweepAt: start.dueAt };
  const changes = { set: { ...fresh, ...place }, remove: ["leaseId", "ttl", "woken"] as const };
  const write = jobEntity.update({ jobId }, changes, { state, leaseId, dueAt, sweepAt });
  return { job, write, isOwn: isWaitingAt(start.dueAt), pointer: { ...job, ...start } };
}

const isWaitingAt = (dueAt: number) => (stored: Job) => stored.state === "waiting" && stored.dueAt === dueAt;
