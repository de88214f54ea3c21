// When a failed delivery is attempted again (DECISIONS.md#delivery-attempts).

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** The wait in ms after the first attempt, the second, and so on. After the last step there is no further attempt. */
const steps = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
const jitter = 0.1;
const retryAfterMax = 12 * hour;

/**
 * When to attempt again after `tries` attempts, in ms since the epoch; undefined: never. The receiver's Retry-After can
 * lengthen a step up to 12 hours. It cannot shorten one.
 */
export function nextAttemptAt(
  tries: number,
  now: number,
  retryAfter?: string,
  random = Math.random(),
): number | undefined {
  const step = steps[tries - 1];
  if (step === undefined) return undefined;
  const asked = Math.min(retryAfterMax, retryAfterMs(retryAfter, now));
  return now + Math.round(Math.max(step * (1 + jitter * (2 * random - 1)), asked));
}

/** The wait that a Retry-After header asks for, in ms. It has seconds or a date; anything else is no wait. */
function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * second;
  return Math.max(0, (Date.parse(header) || now) - now);
}
