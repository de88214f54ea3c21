// What one call or one worker's run has cost so far, and when it must end. It is ambient (AsyncLocalStorage): otherwise
// every function of the store would take it as a parameter.
import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";

export interface CallRecord {
  requestId: string;
  /** Aborted at the call's deadline. It ends every request to AWS in flight. */
  signal: AbortSignal;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  kmsCalls: number;
  /** What ids are derived from in a call that can be repeated. */
  ids?: { seed: string; made: number };
  /** Event types that the workspace wants delivered; absent before the workspace is known. */
  wantedEvents?: () => Promise<readonly string[]>;
}

const storage = new AsyncLocalStorage<CallRecord>();

/** Runs `work` with a fresh record. */
export function inCall<T>(record: CallRecord, work: () => Promise<T>): Promise<T> {
  return storage.run(record, work);
}

/** Every request in flight listens to the signal, and a bulk call can have many: Node must not warn of a leak. */
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
