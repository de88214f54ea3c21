// The rate limit, exact. Starts have slots, spaced by more than their share of a second, and a start that comes too late
// for its slot gives it up. The N+1st start after one is then at least
//   (1000 + guard) − late = 1045 ms later by the clocks that the slots are held against,
// which leaves 45 ms for two workers' clocks to be 20 ms off either way, in whole milliseconds.

const guardMs = 100;
/** How long after its slot an attempt may start. */
export const lateMsMax = 55;

/** From now or the first free slot on. `nextFree` is what the next reservation starts from. */
export function reserve(
  nextFree: number | undefined,
  { now, rateLimit, count, until }: { now: number; rateLimit: number; count: number; until: number },
): { slots: number[]; nextFree: number } {
  const spacing = (1_000 + guardMs) / rateLimit;
  const first = Math.max(now, nextFree ?? 0);
  const fitting = Math.max(0, Math.min(count, Math.floor((until - first) / spacing) + 1));
  const slots = Array.from({ length: fitting }, (_, index) => first + index * spacing);
  return { slots, nextFree: first + fitting * spacing };
}

/** Whether an attempt may start now in this slot. */
export function isInTime(slot: number, now: number): boolean {
  return now >= slot && now <= slot + lateMsMax;
}
