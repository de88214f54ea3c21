// Wakes jobs that exist once under a fixed id, such as the job that makes an endpoint's deliveries. A woken job always
// runs after the call: a job that is running now is marked, and runs again instead of ending.
import { noteCaused } from "../call.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commitEach } from "./commit.ts";
import { type DueJob, dueShard, type Job, jobCreation, jobEntity, jobKey } from "./job.ts";
import { sendPointers } from "./queue.ts";

/** A job that waits no longer than this is not woken: it has a message, and SQS delays by whole seconds. */
const soonMs = 1_000;

/** Creates the jobs or makes them due now, then sends their messages. The sweeper replaces messages that are lost. */
export async function wake(jobs: readonly Job[]): Promise<void> {
  let rest = jobs;
  await retryOnConflict("jobs", async () => {
    const units = await wakings(rest);
    const written = await commitEach(units);
    for (const { id } of rest) noteCaused("jobs", id);
    await sendPointers(units.flatMap(({ pointer }, index) => (written[index] && pointer ? [pointer] : [])));
    rest = units.flatMap(({ job }, index) => (written[index] ? [] : [job]));
    return rest.length === 0 ? undefined : conflict;
  });
}

interface Waking {
  job: Job;
  writes: Write[];
  /** The message to send after the writes. A running job needs none: it puts itself back. */
  pointer?: DueJob;
}

/** The writes that wake these jobs in their stored state. Omits jobs that will run anyway. */
async function wakings(jobs: readonly Job[]): Promise<Waking[]> {
  const stored = await Table.getMany<Job>(jobs.map(({ id }) => jobKey(id)));
  return jobs.flatMap((job, index) => waking(job, stored[index]) ?? []);
}

function waking(job: Job, stored: Job | undefined): Waking | undefined {
  if (!stored) return { job, writes: [jobCreation(job)], pointer: job };
  const jobId = job.id;
  const { state, leaseId, dueAt, attempts } = stored;
  if (state === "running" && dueAt > job.dueAt) {
    if (stored.woken) return undefined;
    return { job, writes: [jobEntity.update({ jobId }, { set: { woken: true } }, { state, leaseId })] };
  }
  // After a failed run, the job waits for its next attempt.
  if (state === "waiting" && (attempts > 0 || dueAt <= job.dueAt + soonMs)) return undefined;
  const { payload, workspace, kind, causedBy } = job;
  // A job whose worker died keeps its attempts. Otherwise a job that is woken often would never be failed.
  const tried = state === "running" ? attempts : 0;
  const start = { state: "waiting", dueAt: job.dueAt, attempts: tried, sweeps: 0 } as const;
  const fresh = { kind, workspace, payload, ...(causedBy && { causedBy }), ...start };
  const changes = { set: { ...fresh, due: dueShard(job.id) }, remove: ["leaseId", "ttl", "woken"] as const };
  return { job, writes: [jobEntity.update({ jobId }, changes, { state, leaseId, dueAt })], pointer: job };
}
