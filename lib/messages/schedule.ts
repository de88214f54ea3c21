// When a message is tried again: for up to a day (DECISIONS.md#attempts-of-messages).
const minute = 60_000;
/** Waits after the first, second, … attempt. Together 24 hours. */
const waits = [1, 5, 15, 60, 180, 360, 819].map((minutes) => minutes * minute);
/** Attempts that were begun, also those whose worker died. */
export const attemptsMax = waits.length + 1;
/** Each wait is up to this part longer or shorter, so that messages that failed together do not come back together. */
const jitter = 0.1;

/** Ms since the epoch; undefined after the last attempt. `afterMs`: how long the provider asks to wait. */
export function nextMessageAttemptAt(attempts: number, now: number, afterMs = 0): number | undefined {
  const wait = waits[attempts - 1];
  if (wait === undefined) return undefined;
  return Math.ceil(now + Math.max(wait * (1 - jitter + 2 * jitter * Math.random()), afterMs));
}
