// The cost so far and the deadline of one call or of one worker's run. The record is ambient (AsyncLocalStorage):
// otherwise every function of the store would take it as a parameter.
import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";

/**
 * After this many seconds, every call in flight now has ended (at most 28 s), and every container has checked its cached
 * credentials again (30 s).
 */
export const inFlightSeconds = 60;

export interface CallRecord {
  requestId: string;
  /** Aborts when the call has failed or its time is over. Then no request to AWS begins, and reads in flight end. */
  signal: AbortSignal;
  /** Aborts the writes in flight. It is later than `signal`, so that a failed call can wait for them. */
  writeSignal: AbortSignal;
  /** The writes in flight. */
  writes: Set<Promise<unknown>>;
  cost: { roundTrips: number; readUnits: number; writeUnits: number; kmsCalls: number };
  /** In a call with an Idempotency-Key: new ids derive from the seed and from the number of ids made so far. */
  ids?: { seed: string; made: number };
  /** The number of units of changes so far. The events of each have places in the call's order (`jobs/outbox.ts`). */
  units?: number;
  /**
   * Returns the event types that the workspace wants delivered, and the version of its webhook endpoints. Absent in a
   * call that causes no events.
   */
  webhooks?: () => Promise<{ wantedEvents: readonly string[]; version: number }>;
}

const storage = new AsyncLocalStorage<CallRecord>();

/** Runs `work`. Within it, `currentCall` returns the record. */
export function inCall<T>(record: CallRecord, work: () => T): T {
  return storage.run(record, work);
}

/** Every request in flight listens to the signals. Without a limit of listeners, Node does not warn of a leak. */
export function newCallRecord(requestId: string, signal: AbortSignal, writeSignal = signal): CallRecord {
  setMaxListeners(0, signal, writeSignal);
  const cost = { roundTrips: 0, readUnits: 0, writeUnits: 0, kmsCalls: 0 };
  return { requestId, signal, writeSignal, writes: new Set(), cost };
}

export function currentCall(): CallRecord | undefined {
  return storage.getStore();
}

/** Aborts at the end of the running call: after a failure, or at its deadline. */
export function callSignal(): AbortSignal | undefined {
  return storage.getStore()?.signal;
}

interface RequestOptions {
  abortSignal?: AbortSignal;
}

/** Options of a request to AWS that changes nothing: the end of the running call aborts it. */
export function withinCall(): RequestOptions {
  const abortSignal = callSignal();
  return abortSignal ? { abortSignal } : {};
}

/** Makes a request to AWS that writes. It does not begin after the end of the running call, which waits for it. */
export async function writeWithinCall<T>(request: (options: RequestOptions) => Promise<T>): Promise<T> {
  const record = storage.getStore();
  if (!record) return request({});
  record.signal.throwIfAborted();
  const written = request({ abortSignal: record.writeSignal });
  record.writes.add(written);
  try {
    return await written;
  } finally {
    record.writes.delete(written);
  }
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

/** The cost of a call, as the log and the benchmark show it. */
export const costOf = ({ cost }: CallRecord) => cost;
