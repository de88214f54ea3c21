// What one call or one run has cost so far, and when it must end. Ambient, because the store's functions are named
// for what they read ("Grant.listOf") and would otherwise all carry it through.
import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";

export interface CallRecord {
  requestId: string;
  /** Aborted at the call's deadline; ends every request to AWS under way. */
  signal: AbortSignal;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  kmsCalls: number;
  /** What ids are made from in a call that can be sent again. */
  ids?: { seed: string; made: number };
  /** Event types that the workspace wants delivered; absent where nobody knows whose call it is. */
  wantedEvents?: () => Promise<readonly string[]>;
}

const storage = new AsyncLocalStorage<CallRecord>();

/** Runs `work` with a fresh record. */
export function inCall<T>(record: CallRecord, work: () => Promise<T>): Promise<T> {
  return storage.run(record, work);
}

/** Every request under way listens to the signal, and a bulk call has as many as it likes. */
export function newCallRecord(requestId: string, signal: AbortSignal): CallRecord {
  setMaxListeners(0, signal);
  return { requestId, signal, roundTrips: 0, readUnits: 0, writeUnits: 0, kmsCalls: 0 };
}

export function currentCall(): CallRecord | undefined {
  return storage.getStore();
}

/** The running call's deadline, for the `abortSignal` of a request. */
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

/** What a call has cost, as the log and the benchmark show it. */
export function costOf({ roundTrips, readUnits, writeUnits, kmsCalls }: CallRecord) {
  return { roundTrips, readUnits, writeUnits, kmsCalls };
}
