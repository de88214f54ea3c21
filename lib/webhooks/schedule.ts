// When a delivery that failed is tried again.

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** After the first attempt, the second, and so on; after the last there is none. */
const steps = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
const jitter = 0.1;
const retryAfterMax = 12 * hour;

/**
 * When to try again after `tries` attempts, in ms since the epoch; undefined: not any more. What the receiver asked for
 * can lengthen a step, up to 12 hours, and not shorten it.
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

/** What a Retry-After header says: seconds or a date. Anything else says nothing. */
function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * second;
  return Math.max(0, (Date.parse(header) || now) - now);
}
