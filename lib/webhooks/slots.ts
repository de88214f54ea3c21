// The exact rate limit N per second (DECISIONS.md#rate-limit-of-deliveries). Each attempt starts in a slot. Slots are
// (1000 + guard) / N ms apart. An attempt that is too late for its slot must take another. So by the workers' clocks,
// two attempts N slots apart start at least
//   (1000 + guard) − late = 1045 ms
// apart. The 45 ms above one second allow for two clocks that are each up to 20 ms off, in whole milliseconds.

const guardMs = 100;
/** How long after its slot an attempt may start, in ms. */
export const lateMsMax = 55;

/** The least time between two requests that are N attempts apart, in ms. */
export const windowMs = 1_000 + guardMs - lateMsMax;

/** Chooses up to `count` slots from now or `nextFree`, the later. Returns the `nextFree` after them. All in ms. */
export function reserve(
  nextFree: number | undefined,
  { now, rateLimit, count, until }: { now: number; rateLimit: number; count: number; until: number },
): { slots: number[]; nextFree: number } {
  const spacing = (1_000 + guardMs) / rateLimit;
  const first = Math.max(now, nextFree ?? 0);
  const available = Math.max(0, Math.min(count, Math.floor((until - first) / spacing) + 1));
  const slots = Array.from({ length: available }, (_, index) => first + index * spacing);
  return { slots, nextFree: first + available * spacing };
}

/** Whether an attempt in this slot may start at `now`. */
export function isInTime(slot: number, now: number): boolean {
  return now >= slot && now <= slot + lateMsMax;
}
