// A job: work that a worker does after the call that caused it. The job's item holds its whole state; the message in a
// queue carries only its id. States: waiting → running → done | failed.
import { randomUUID } from "node:crypto";
import { causedBy } from "../call.ts";
import { entity } from "../dynamodb/entity.ts";
import { allShards, shardOf } from "../dynamodb/key.ts";
import type { JobKind } from "../grants.ts";
import type { Progress, ShownKind } from "../schema/jobs.ts";

export interface Job {
  id: string;
  kind: JobKind;
  workspace: string;
  /** Set for a job whose id a call has returned. Then jobs/status shows it, as a job of this kind. */
  shownAs?: ShownKind;
  state: "waiting" | "running" | "done" | "failed";
  /** Ms since the epoch. The time to run; while the job runs, the end of its lease. */
  dueAt: number;
  /** Claims since the last step that succeeded. */
  attempts: number;
  /**
   * When the sweeper looks at the job, ms since the epoch: at `dueAt`, or before. It is the sort key of the index
   * `sweep`. So a claim changes it only where it is later than the end of the lease. Absent when the job is done.
   */
  sweepAt?: number;
  /** How often the sweeper has sent it since it was last put back. */
  sweeps: number;
  /** Identifies the claim of the worker that runs it. */
  leaseId?: string;
  /** The job was woken while it ran. Its worker may have missed new work, so the job runs again. */
  woken?: true;
  /** `x-request-id` of the call that caused the job, also through other jobs. */
  causedBy?: string;
  payload: Record<string, unknown> & Report;
}

/** The part of a job that jobs/status shows. It is in the payload, so a worker stores it with the job's next state. */
export interface Report {
  progress?: Progress;
  /** Why a job that is done did not succeed, in a sentence for the caller. */
  failure?: string;
}

/** The fields of a job in a list. */
export type DueJob = Omit<Job, "payload">;

export const jobEntity = entity<Job & { due?: string; ttl?: number }>()({
  name: "job",
  attributes: [
    "id",
    "kind",
    "workspace",
    "shownAs",
    "state",
    "dueAt",
    "sweepAt",
    "attempts",
    "sweeps",
    "leaseId",
    "woken",
    "causedBy",
    "payload",
    "due",
    "ttl",
  ],
  pk: ({ jobId }: { jobId: string }) => `JOB#${jobId}`,
  sk: () => "JOB",
});

export const jobKey = (jobId: string) => jobEntity.key({ jobId });

/**
 * A new job that is not stored yet. The running call causes it. For a job whose id the call returns, set what
 * jobs/status shows it as: `{ ...newJob("purge", workspace, payload), shownAs: "folder-deletion" }`. Its worker reports
 * in the payload: `progress` whenever the job runs again or is done, and `failure` when the job ends without success.
 */
export function newJob(kind: Job["kind"], workspace: string, payload: Job["payload"], delaySeconds = 0): Job {
  const dueAt = Date.now() + delaySeconds * 1_000;
  return { id: randomUUID(), kind, workspace, state: "waiting", dueAt, attempts: 0, sweeps: 0, ...causedBy(), payload };
}

/** The write that stores a new job. The condition fails when its id is taken. */
export function jobCreation(job: Job) {
  return jobEntity.put({ jobId: job.id }, { ...job, due: duePartition(job), sweepAt: job.dueAt }, "absent");
}

/**
 * The partition of the index `sweep` that lists a job: 16 groups of workspaces, each with 16 shards. So 256 partitions
 * take the writes of all jobs, and the jobs of one workspace are in 16 of them.
 */
export function duePartition({ id, workspace }: Pick<Job, "id" | "workspace">): string {
  return `${shardOf(workspace)}.${shardOf(id)}`;
}

/** The partition for the failed jobs of a group of workspaces. The sweeper does not read it. */
export function failedPartition({ workspace }: Pick<Job, "workspace">): string {
  return `${shardOf(workspace)}.failed`;
}

/** All partitions that the sweeper reads. The partitions of one group of workspaces are far from one another. */
export const duePartitions: readonly string[] = allShards.flatMap((shard) =>
  allShards.map((group) => `${group}.${shard}`),
);

/** The partitions that list jobs: all, or the 17 of a workspace's group. The partitions for failed jobs are last. */
export function partitionsOf(workspace?: string): string[] {
  const groups = workspace === undefined ? allShards : [shardOf(workspace)];
  const open = groups.flatMap((group) => allShards.map((shard) => `${group}.${shard}`));
  return [...open, ...groups.map((group) => `${group}.failed`)];
}
