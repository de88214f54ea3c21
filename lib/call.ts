// The cost so far and the deadline of one call or of one worker's run. The record is ambient (AsyncLocalStorage):
// otherwise every function of the store would take it as a parameter.
import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";

/**
 * After so many seconds every call in flight now has ended (at most 28 s), and every container has checked its cached
 * credentials again (30 s).
 */
export const inFlightSeconds = 60;

export interface CallRecord {
  requestId: string;
  /** Aborts at the call's deadline, with every request to AWS in flight. */
  signal: AbortSignal;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  kmsCalls: number;
  /** In a call with an Idempotency-Key: new ids derive from the seed and from the number of ids made so far. */
  ids?: { seed: string; made: number };
  /** Returns the event types that the workspace wants delivered. Absent in a call that causes no events. */
  wantedEvents?: () => Promise<readonly string[]>;
}

const storage = new AsyncLocalStorage<CallRecord>();

/** Runs `work`. Within it, `currentCall` returns the record. */
export function inCall<T>(record: CallRecord, work: () => Promise<T>): Promise<T> {
  return storage.run(record, work);
}

/** Every request in flight listens to the signal. Without a limit of listeners, Node does not warn of a leak. */
export function newCallRecord(requestId: string, signal: AbortSignal): CallRecord {
  setMaxListeners(0, signal);
  return { requestId, signal, roundTrips: 0, readUnits: 0, writeUnits: 0, kmsCalls: 0 };
}

export function currentCall(): CallRecord | undefined {
  return storage.getStore();
}

/** The deadline of the running call, for the `abortSignal` of a request. */
export function callSignal(): AbortSignal | undefined {
  return storage.getStore()?.signal;
}

/** Options of an AWS request: the running call's deadline aborts it. */
export function withinCall(): { abortSignal?: AbortSignal } {
  const abortSignal = callSignal();
  return abortSignal ? { abortSignal } : {};
}

/** Counts one request to DynamoDB and the capacity units it consumed. */
export function countRoundTrip(kind: "read" | "write", units: number): void {
  const record = storage.getStore();
  if (!record) return;
  record.roundTrips += 1;
  record[`${kind}Units`] += units;
}

export function countKmsCall(): void {
  const record = storage.getStore();
  if (record) record.kmsCalls += 1;
}

/** The cost of a call, as the log and the benchmark show it. */
export function costOf({ roundTrips, readUnits, writeUnits, kmsCalls }: CallRecord) {
  return { roundTrips, readUnits, writeUnits, kmsCalls };
}
