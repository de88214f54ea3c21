// A job: work that a worker does after the call that caused it. The job's item holds its whole state; the message in a
// queue carries only its id. States: waiting → running → done | failed.
import { randomUUID } from "node:crypto";
import { causedBy } from "../call.ts";
import { entity } from "../dynamodb/entity.ts";
import { shardOf } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import type { JobKind } from "../grants.ts";

export interface Job {
  id: string;
  kind: JobKind;
  workspace: string;
  state: "waiting" | "running" | "done" | "failed";
  /** Ms since the epoch. The time to run; while the job runs, the end of its lease. */
  dueAt: number;
  /** Claims since the last step that succeeded. */
  attempts: number;
  /** How often the sweeper has sent it since it was last put back. */
  sweeps: number;
  /** Identifies the claim of the worker that runs it. */
  leaseId?: string;
  /** The job was woken while it ran. Its worker may have missed new work, so the job runs again. */
  woken?: true;
  /** `x-request-id` of the call that caused the job, also through other jobs. */
  causedBy?: string;
  payload: Record<string, unknown>;
}

/** A job as the index `due` lists it. */
export type DueJob = Omit<Job, "payload">;

export const jobEntity = entity<Job & { due?: string; ttl?: number }>()({
  name: "job",
  attributes: {
    id: true,
    kind: true,
    workspace: true,
    state: true,
    dueAt: true,
    attempts: true,
    sweeps: true,
    leaseId: true,
    woken: true,
    causedBy: true,
    payload: true,
    due: true,
    ttl: true,
  },
  pk: ({ jobId }: { jobId: string }) => `JOB#${jobId}`,
  sk: () => "JOB",
});

export const jobKey = (jobId: string) => jobEntity.key({ jobId });

/** A new job that is not stored yet. The running call causes it. */
export function newJob(kind: Job["kind"], workspace: string, payload: Job["payload"], delaySeconds = 0): Job {
  const dueAt = Date.now() + delaySeconds * 1_000;
  return { id: randomUUID(), kind, workspace, state: "waiting", dueAt, attempts: 0, sweeps: 0, ...causedBy(), payload };
}

/** The write that stores a new job. The condition fails when its id is taken. */
export function jobCreation(job: Job): Write {
  return jobEntity.put({ jobId: job.id }, { ...job, due: dueShard(job.id) }, "absent");
}

/** The partition of the index `due` that lists a job. */
export function dueShard(id: string): string {
  return String(shardOf(id));
}
