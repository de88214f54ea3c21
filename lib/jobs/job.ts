// A job: work that a worker does after the call that caused it. Its item is the truth; the message in a queue carries
// only its id. States: waiting → running → done | failed.
import { randomUUID } from "node:crypto";
import { entity } from "../dynamodb/entity.ts";
import { shardOf } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import type { JobKind } from "../grants.ts";

export interface Job {
  id: string;
  kind: JobKind;
  workspace: string;
  state: "waiting" | "running" | "done" | "failed";
  /** When it should run; while it runs, when its lease ends. Ms since the epoch. */
  dueAt: number;
  /** Claims since the last step that succeeded. */
  attempts: number;
  /** How often the sweeper has sent it. */
  sweeps: number;
  /** The claim of the worker that runs it. */
  leaseId?: string;
  /** Set while the job runs: there can be more to do than its worker has seen, so it runs once more. */
  woken?: true;
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
    payload: true,
    due: true,
    ttl: true,
  },
  pk: ({ jobId }: { jobId: string }) => `JOB#${jobId}`,
  sk: () => "JOB",
});

export const jobKey = (jobId: string) => jobEntity.key({ jobId });

/** A new job that is not stored yet. */
export function newJob(kind: Job["kind"], workspace: string, payload: Job["payload"], delaySeconds = 0): Job {
  const dueAt = Date.now() + delaySeconds * 1_000;
  return { id: randomUUID(), kind, workspace, state: "waiting", dueAt, attempts: 0, sweeps: 0, payload };
}

/** The write that adds a job. */
export function jobCreation(job: Job): Write {
  return jobEntity.put({ jobId: job.id }, { ...job, due: dueShard(job.id) }, "absent");
}

/** The partition of the index `due` that lists a job. */
export function dueShard(id: string): string {
  return String(shardOf(id));
}
