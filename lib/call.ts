// The cost so far and the deadline of one call or of one worker's run. The call is ambient (AsyncLocalStorage):
// otherwise every function of the store would take it as a parameter.
import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import { backoffMs, pause } from "./concurrency.ts";
import type { Metrics } from "./metrics.ts";
import { Patience } from "./patience.ts";

/**
 * After this many seconds, every call that is in flight now has ended: a call takes at most 28 s. Every container has
 * checked its cached credentials again: it does so after 30 s.
 */
export const inFlightSeconds = 60;

/** Which event types each receiver of a workspace wants. */
export interface Interest {
  /** The types that any enabled webhook endpoint wants; `everyEvent` stands for all. */
  wantedEvents: string[];
  /** Counts the changes of webhook endpoints. */
  version: number;
  /** The types that cause messages by e-mail, and by Slack. */
  emailEvents: string[];
  slackEvents: string[];
  /** How long a message waits for more events. A mention or an assignment does not wait. */
  messageBatchSeconds: number;
  /** The types that the activity log records. */
  activityEvents: string[];
}

/** The notes of a call with an Idempotency-Key for its repeats (DECISIONS.md#repeated-calls). */
export interface CallSteps {
  /** The write (`dynamodb/write.ts`) that notes steps of the call, by name, with the outcome of each. */
  noting(done: Record<string, string>): object;
  /** The outcomes of the steps that earlier attempts of the call have noted. */
  noted(): Promise<ReadonlyMap<string, string>>;
}

/** A call of an endpoint, or a run of a worker. */
export interface Call {
  /** `x-request-id` of the call. In a job's run: of the call that caused the job. */
  requestId: string;
  /** The invocation of Lambda that serves it. Field names are those of AWS's Powertools. */
  invocation?: {
    service: string;
    cold_start: boolean;
    /** Lambda's own id. */
    function_request_id: string;
  };
  /** The public id of the caller's auth token. Absent in a job's run. */
  authTokenId?: string;
  /** Aborts `signal`. */
  end: AbortController;
  /** Aborts `writeSignal`. */
  endWrites: AbortController;
  /** Aborts when the call has failed or its time is over. Then no request to AWS begins, and reads in flight end. */
  signal: AbortSignal;
  /** Aborts the writes in flight. It is later than `signal`, so that a failed call can wait for them. */
  writeSignal: AbortSignal;
  /** What it has lost, and may lose, to AWS. */
  patience: Patience;
  /** The writes in flight. */
  writes: Set<Promise<unknown>>;
  cost: { roundTrips: number; readUnits: number; writeUnits: number; kmsCalls: number };
  /** Metrics of the call besides its cost. */
  measures: Partial<Metrics>;
  /** Queues to which the last try of a send took too long (`jobs/queue.ts`). */
  slowQueues: Set<string>;
  /** Ids of the first jobs and deliveries that the call has caused. */
  caused: { jobs: string[]; deliveries: string[] };
  /** Only with an Idempotency-Key: new ids derive from the seed and from the number of ids made so far. */
  ids?: { seed: string; made: number };
  /** Only with an Idempotency-Key. */
  steps?: CallSteps;
  /** Every write, and every request to another server, waits for it. It rejects when the call must not make them. */
  mayWrite?: Promise<void>;
  /** Until this resolves, the call uses nothing that it has read. It rejects when the call must not use it. */
  maySee?: Promise<void>;
  /** The documents of the call to which pages listen (`store/listening.ts`). */
  listened: Map<string, string>;
  /** The number of units so far. The events of each unit have places in the call's order (`jobs/outbox.ts`). */
  units?: number;
  /**
   * The reply waits for this time, ms since the epoch. So a call that arrives after the reply has later activities,
   * although the clocks of two containers differ (`replyAfter`).
   */
  replyFrom?: number;
  /** Returns who wants which events of the workspace. Absent in a call that causes no events. */
  webhooks?: () => Promise<Interest>;
}

const storage = new AsyncLocalStorage<Call>();

/**
 * How much the clocks of two containers may differ: activities of two calls still have the order of the calls. It is
 * one more than 20, so that no two of these calls have the same time.
 */
const skewMs = 21;

/**
 * Delays the reply of the running call. A call that begins after the reply then has a later time than `at` (ISO 8601),
 * also if its clock is slow.
 */
export function replyAfter(at: string): void {
  const call = storage.getStore();
  if (call) call.replyFrom = Math.max(call.replyFrom ?? 0, Date.parse(at) + skewMs);
}

/** Runs `work`. Within it, `currentCall` returns the call. */
export function inCall<T>(call: Call, work: () => T): T {
  return storage.run(call, work);
}

/**
 * `deadline` aborts both signals too. `patienceMs`: what the call may lose to requests that get no answer. A worker may
 * lose its whole time: its job runs again.
 */
export function newCall(requestId: string, deadline?: AbortSignal, patienceMs = Number.POSITIVE_INFINITY): Call {
  const patience = new Patience(patienceMs);
  const cost = { roundTrips: 0, readUnits: 0, writeUnits: 0, kmsCalls: 0 };
  const caused = { jobs: [], deliveries: [] };
  const kept = { measures: {}, slowQueues: new Set<string>(), listened: new Map<string, string>() };
  return { requestId, ...beginning(deadline), patience, cost, caused, ...kept };
}

/** The same call under signals of its own, for work that continues after its end. All cost counts as the call's. */
export const besideCall = (call: Call, deadline?: AbortSignal): Call => ({ ...call, ...beginning(deadline) });

/** Every request in flight listens to the signals. Without a limit of listeners, Node does not warn of a leak. */
function beginning(deadline: AbortSignal | undefined) {
  const [end, endWrites] = [new AbortController(), new AbortController()];
  const under = (own: AbortSignal) => (deadline ? AbortSignal.any([own, deadline]) : own);
  const [signal, writeSignal] = [under(end.signal), under(endWrites.signal)];
  setMaxListeners(0, signal, writeSignal);
  return { end, endWrites, signal, writeSignal, writes: new Set<Promise<unknown>>() };
}

export function currentCall(): Call | undefined {
  return storage.getStore();
}

/** Aborts at the end of the running call: after a failure, or at its deadline. */
export function callSignal(): AbortSignal | undefined {
  return storage.getStore()?.signal;
}

interface RequestOptions {
  abortSignal?: AbortSignal;
}

/** Makes a request to AWS that changes nothing. The end of the running call aborts it, and none begins after it. */
export async function readWithinCall<T>(request: (options: RequestOptions) => Promise<T>): Promise<T> {
  const call = storage.getStore();
  if (!call) return request({});
  call.signal.throwIfAborted();
  return call.patience.await(request({ abortSignal: call.signal }));
}

/** Waits until the running call may use what it has read, and returns it. */
export async function seen<T>(read: Promise<T>): Promise<T> {
  const found = await read;
  await storage.getStore()?.maySee;
  return found;
}

/** Makes a request to AWS that writes. It does not begin after the end of the running call, which waits for it. */
export async function writeWithinCall<T>(request: (options: RequestOptions) => Promise<T>): Promise<T> {
  const call = storage.getStore();
  if (!call) return request({});
  if (call.mayWrite) await call.mayWrite;
  call.signal.throwIfAborted();
  const written = request({ abortSignal: call.writeSignal });
  call.writes.add(written);
  const end = () => call.writes.delete(written);
  written.then(end, end);
  return call.patience.await(written);
}

/** Waits until the running call may ask another server, which cannot be taken back. Throws if the call must not. */
export async function mayAsk(): Promise<void> {
  await storage.getStore()?.mayWrite;
}

/**
 * Waits before a retry of what has failed since `startedAt` (`monotonicMs`). Returns false without a wait when the call
 * has lost too much time: then it must fail. The first retry has `attempt` 0.
 */
export async function mayRetry(attempt: number, startedAt: number): Promise<boolean> {
  const call = storage.getStore();
  const waitMs = backoffMs(attempt);
  call?.patience.lose(startedAt);
  if (call && !call.patience.allows(waitMs)) return false;
  await pause(waitMs, call?.signal);
  return true;
}

/** The outcomes of the steps that earlier attempts of this call have done, by name. None in a first attempt. */
export async function notedSteps(): Promise<ReadonlyMap<string, string>> {
  return (await storage.getStore()?.steps?.noted()) ?? new Map<string, string>();
}

/** Counts one request to DynamoDB and the capacity units it consumed. */
export function countRoundTrip(kind: "read" | "write", units: number): void {
  const cost = storage.getStore()?.cost;
  if (!cost) return;
  cost.roundTrips += 1;
  cost[`${kind}Units`] += units;
}

export function countKmsCall(): void {
  const cost = storage.getStore()?.cost;
  if (cost) cost.kmsCalls += 1;
}

/** Adds to a metric of the running call. */
export function measure(name: keyof Metrics, value: number): void {
  const measures = storage.getStore()?.measures;
  if (measures) measures[name] = (measures[name] ?? 0) + value;
}

/** A log line has at most 256 KB. */
const causedMax = 20;

/** Notes that the running call has caused this job or delivery. Its log line has the first 20 ids of each kind. */
export function noteCaused(kind: keyof Call["caused"], id: string): void {
  const ids = storage.getStore()?.caused[kind];
  if (ids && ids.length < causedMax && !ids.includes(id)) ids.push(id);
}

/** The attribute that a job or a delivery of the running call gets; empty outside a call. */
export function causedBy(): { causedBy?: string } {
  const call = storage.getStore();
  return call ? { causedBy: call.requestId } : {};
}

/** Runs `work` in the running call, with the id of the call that caused this work. */
export function onBehalfOf<T>(requestId: string | undefined, work: () => T): T {
  const call = storage.getStore();
  return call && requestId ? storage.run({ ...call, requestId }, work) : work();
}

/** The fields of a call's log line for the jobs and deliveries that the call has caused. */
export function causedOf({ caused: { jobs, deliveries } }: Call) {
  return {
    ...(jobs.length > 0 && { causedJobs: jobs }),
    ...(deliveries.length > 0 && { causedDeliveries: deliveries }),
  };
}

/** The cost of a call, as the log and the benchmark show it. */
export const costOf = ({ cost }: Call) => cost;
