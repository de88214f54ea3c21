// One background worker as data. A worker runs the jobs of a kind, or takes events of AWS, or a schedule invokes it.
import { inFlightSeconds } from "../call.ts";
import type { Grant, JobKind } from "../grants.ts";
import type { Job, Report } from "../store/job.ts";

interface WorkerSpec {
  /** The name in kebab-case, also of the file, the bundle and the function. */
  name: string;
  summary: string;
  grants: readonly Grant[];
  /** The limit of one run. Default 60. The queue's visibility timeout and the job's lease follow from it. */
  timeoutSeconds?: number;
  memoryMb?: number;
  /** Sources of scripts that run in child processes, by name. Each is bundled next to the function as `<name>.mjs`. */
  scripts?: Readonly<Record<string, string>>;
  /** Whether it sends requests to addresses that a workspace sets. Then it runs in the deployment's VPC, if any. */
  callsOut?: boolean;
  /** Whether it makes links to this service. */
  makesLinks?: boolean;
}

/**
 * `again`: the job must run again after the delay, with this payload. `isStep: false`: this run did nothing, because a
 * run that threw still holds what is due. Such a run is no attempt, and earlier failed attempts still count.
 * `done` with a report: the job keeps the report, for jobs/status. Otherwise it keeps the report in its payload. The rest
 * of the payload is dropped, because it can name users.
 */
export type RunResult =
  | "done"
  | { done: Report; again?: undefined }
  | { again: { payload: Job["payload"]; delaySeconds: number; isStep?: boolean } };

export interface QueueWorker extends Required<WorkerSpec> {
  kind: "queue";
  jobs: JobKind;
  /** Most concurrent invocations. Default 10. A deployment's `workerConcurrency` can lower it, but not below 2. */
  concurrencyMax: number;
  /** Most jobs in one invocation. Default 10. */
  batchSize: number;
  /** Runs one claimed job until it is done or `until` (ms since the epoch) is near. */
  run(job: Job, until: number): Promise<RunResult>;
}

export interface ScheduleWorker extends Required<WorkerSpec> {
  kind: "schedule";
  everyMinutes: number;
  /** Works until `until`. `at`: the time of the schedule for this run. Both are ms since the epoch. */
  run(until: number, at: number): Promise<void>;
}

/** Takes events of AWS from a queue of its own. The events are no jobs: the table does not have them. */
export interface EventWorker extends Required<WorkerSpec> {
  kind: "events";
  /** The name of the queue. */
  queue: string;
  concurrencyMax: number;
  /** Most events in one invocation. */
  batchSize: number;
  /** Takes one event. It can come twice. When it throws, the event comes again, and at last becomes a dead letter. */
  take(event: unknown): Promise<void>;
}

/** Decides for AppSync who may connect, subscribe and publish. */
export interface Authorizer extends Required<WorkerSpec> {
  kind: "authorizer";
  /** Returns the answer to an event of AWS. A failure counts as a refusal. */
  decide(event: unknown): Promise<{ isAuthorized: boolean }>;
}

export type Worker = QueueWorker | ScheduleWorker | EventWorker;

const defaults = { timeoutSeconds: 60, memoryMb: 512, scripts: {}, callsOut: false, makesLinks: false };

/** Declares the worker of a job kind. It may send to its own queue, since a job that throws must run again. */
export function worker(
  spec: WorkerSpec & Pick<QueueWorker, "jobs" | "run"> & Partial<Pick<QueueWorker, "concurrencyMax" | "batchSize">>,
): QueueWorker {
  const grants = [...spec.grants, `queue:${spec.jobs}` as const];
  return { ...defaults, concurrencyMax: 10, batchSize: 10, ...spec, grants, kind: "queue" };
}

/** Declares a worker that takes events of AWS from a queue. */
export function eventWorker(spec: WorkerSpec & Pick<EventWorker, "queue" | "take">): EventWorker {
  return { ...defaults, concurrencyMax: 5, batchSize: 10, ...spec, kind: "events" };
}

/** Declares a worker that a schedule invokes. */
export function scheduled(spec: WorkerSpec & Pick<ScheduleWorker, "everyMinutes" | "run">): ScheduleWorker {
  return { ...defaults, ...spec, kind: "schedule" };
}

/** Declares an authorizer. */
export function authorizer(spec: WorkerSpec & Pick<Authorizer, "decide">): Authorizer {
  return { ...defaults, ...spec, kind: "authorizer" };
}

/**
 * Runs the job again with this payload, after all calls that are in flight now have ended: they can still write data
 * that the worker removes or moves.
 */
export function secondPass(payload: Job["payload"]): RunResult {
  return { again: { payload: { ...payload, isSecondPass: true }, delaySeconds: inFlightSeconds } };
}
