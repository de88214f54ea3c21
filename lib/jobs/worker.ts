// One background worker as data: the worker of a job kind, which that kind's queue invokes, or one that a schedule
// invokes.
import type { Grant, JobKind } from "../grants.ts";
import type { Job } from "./job.ts";

interface WorkerSpec {
  /** kebab-case; the file's name, the bundle's and the function's. */
  name: string;
  summary: string;
  grants: readonly Grant[];
  /** One run's limit. Default 60. The queue's visibility timeout and the job's lease follow from it. */
  timeoutSeconds?: number;
  memoryMb?: number;
  /** Sources of scripts that run in processes of their own, by name: bundled beside the function as `<name>.mjs`. */
  scripts?: Readonly<Record<string, string>>;
}

/** `again`: there is more to do, after the delay. */
export type RunResult = "done" | { again: { payload: Job["payload"]; delaySeconds: number } };

export interface QueueWorker extends Required<WorkerSpec> {
  kind: "queue";
  jobs: JobKind;
  /** Invocations at once. Default 10: a flood of jobs must not take the whole concurrency of the account. */
  concurrencyMax: number;
  /** Jobs of one invocation, at most. Default 10. */
  batchSize: number;
  /** Works at one claimed job until it is done, or `until` (ms since the epoch) is near. */
  run(job: Job, until: number): Promise<RunResult>;
}

export interface ScheduleWorker extends Required<WorkerSpec> {
  kind: "schedule";
  everyMinutes: number;
  run(until: number): Promise<void>;
}

export type Worker = QueueWorker | ScheduleWorker;

const defaults = { timeoutSeconds: 60, memoryMb: 512, scripts: {} };

/** Declares the worker of a job kind. */
export function worker(
  spec: WorkerSpec & Pick<QueueWorker, "jobs" | "run"> & Partial<Pick<QueueWorker, "concurrencyMax" | "batchSize">>,
): QueueWorker {
  return { ...defaults, concurrencyMax: 10, batchSize: 10, ...spec, kind: "queue" };
}

/** Declares a worker that a schedule invokes. */
export function scheduled(spec: WorkerSpec & Pick<ScheduleWorker, "everyMinutes" | "run">): ScheduleWorker {
  return { ...defaults, ...spec, kind: "schedule" };
}
