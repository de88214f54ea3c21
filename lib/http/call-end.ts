// The end of a call. A failure reply means that nothing more is written: the call begins no further request, and its
// reply waits for the writes in flight.
import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";

/** How long a failed call waits for its writes in flight. A write to DynamoDB takes a few milliseconds. */
const writesMs = 500;

/**
 * Ends a call. Returns false when some write was still in flight after 500 ms, or after `limitMs` if that is shorter.
 * The write is then aborted, and nobody knows whether it was made.
 */
export async function endCall(call: Call, cause: ApiError, limitMs: number) {
  call.end.abort(cause);
  const writes = Promise.allSettled(call.writes);
  const isEnded = call.writes.size === 0 || (await isInTime(writes, Math.min(writesMs, limitMs)));
  call.endWrites.abort(cause);
  return isEnded;
}

const isInTime = (work: Promise<unknown>, limitMs: number) =>
  withDeadline(limitMs, work).then(
    () => true,
    () => false,
  );

/** Returns the result of the work. Throws DEADLINE_EXCEEDED after `limitMs`. */
export async function withDeadline<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const failure = () => new ApiError("DEADLINE_EXCEEDED", "The call did not finish in time. Try again.");
    // A timer of no time still ends after some work.
    if (limitMs <= 0) reject(failure());
    else timer = setTimeout(() => reject(failure()), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
