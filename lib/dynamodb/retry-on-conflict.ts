// The loop for every read-modify-write: read, decide, write on the condition that nothing has changed since. On a
// conflict, it starts again.
import { mayRetry } from "../call.ts";
import { monotonicMs } from "../monotonic.ts";

/** An attempt returns this when the condition of its write failed. */
export const conflict = Symbol("conflict");

/**
 * In each round, at least one of the concurrent writers of an item succeeds, so 20 attempts suffice for 20 writers. The
 * waits between them are at most 15 seconds in total, without the waits of the writes themselves. A call ends
 * them when it has lost too much time.
 */
const attemptsMax = 20;

/** Other writers changed the same items at every attempt. The call becomes UNAVAILABLE, and can be retried. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  /** It is certain that nothing was written, so `retryOnConflict` can start again. */
  readonly isUnwritten: boolean;

  constructor(message: string, { isUnwritten = false, ...options }: ErrorOptions & { isUnwritten?: boolean } = {}) {
    super(message, options);
    this.isUnwritten = isUnwritten;
  }
}

/**
 * Runs `attempt` until it returns anything but `conflict`, with backoff between attempts. A write that
 * other transactions have refused at each of its own tries is a conflict too. `subject` names the changed data in the
 * error message. Throws ConflictError after 20 attempts. Other errors of `attempt` are thrown unchanged.
 */
export async function retryOnConflict<T>(
  subject: string,
  attempt: (index: number) => Promise<T | typeof conflict>,
): Promise<T> {
  const startedAt = monotonicMs();
  for (let index = 0; index < attemptsMax; index++) {
    if (index > 0 && !(await mayRetry(index - 1, startedAt))) break;
    const result = await attempt(index).catch(asConflict);
    if (result !== conflict) return result;
  }
  throw new ConflictError(`The ${subject} changed at each attempt.`);
}

/** An error that ended the loop of another read-modify-write is not repeated: the attempts would multiply. */
function asConflict(thrown: unknown): typeof conflict {
  if (thrown instanceof ConflictError && thrown.isUnwritten) return conflict;
  throw thrown;
}
