import { type CallRecord, costOf, inCall, newCallRecord } from "../call.ts";
import { pause } from "../concurrency.ts";

/**
 * Runs `work`, which calls `keepRate` after each step: it waits until the requests so far have used no more than
 * `unitsPerSecond` capacity units in a second. Reads and writes count alike.
 */
export async function throttled<T>(
  unitsPerSecond = Number.POSITIVE_INFINITY,
  work: (keepRate: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const record = newCallRecord("migrate-items", new AbortController().signal);
  const startedAt = Date.now();
  const keepRate = async () => {
    const dueAt = startedAt + (unitsOf(record) / unitsPerSecond) * 1_000;
    if (dueAt > Date.now()) await pause(dueAt - Date.now());
  };
  return inCall(record, () => work(keepRate));
}

function unitsOf(record: CallRecord): number {
  const { readUnits, writeUnits } = costOf(record);
  return readUnits + writeUnits;
}
