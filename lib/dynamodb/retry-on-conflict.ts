// The one loop for read-modify-write: read, decide, write on the condition of what was read; on a conflict, start
// again.
import { callSignal } from "../call.ts";
import { backoff } from "../concurrency.ts";

/** What an attempt returns when the condition of its write failed. */
export const conflict = Symbol("conflict");

/**
 * Of several writers of one item, at least one succeeds in each round: 20 attempts let 20 concurrent callers pass. With
 * the backoff that takes at most 16 seconds; the deadline of the call can end it earlier.
 */
const attemptsMax = 20;

/** Other writers changed the same items at every attempt. The reply is UNAVAILABLE, and the call may be repeated. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
}

/**
 * Runs `attempt` until it returns anything but `conflict`, with backoff between attempts. `subject` names what is
 * changed, for the error. Throws ConflictError after 20 attempts; what `attempt` throws is thrown.
 */
export async function retryOnConflict<T>(
  subject: string,
  attempt: (index: number) => Promise<T | typeof conflict>,
): Promise<T> {
  for (let index = 0; index < attemptsMax; index++) {
    if (index > 0) await backoff(index - 1, callSignal());
    const result = await attempt(index);
    if (result !== conflict) return result;
  }
  throw new ConflictError(`The ${subject} changed at each of ${attemptsMax} attempts.`);
}
