// The exact rate limit (DECISIONS.md#rate-limit-of-deliveries). Each start has a slot. Slots are spaced by more than
// their share of a second, and a start that comes too late for its slot gives it up. So the start N slots later comes
// at least
//   (1000 + guard) − late = 1045 ms later by the workers' clocks.
// That leaves 45 ms for two clocks that are each up to 20 ms off, in whole milliseconds.

const guardMs = 100;
/** How long after its slot an attempt may start. */
export const lateMsMax = 55;

/** Reserves slots from now, or from the first free slot. The next reservation starts from the returned `nextFree`. */
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

/** Whether an attempt may start now in this slot. */
export function isInTime(slot: number, now: number): boolean {
  return now >= slot && now <= slot + lateMsMax;
}
