// A fake `Date` for the tests of a file. Timers stay real.
import { afterEach, beforeEach, vi } from "vitest";

/** Fakes `Date` in each test of the calling file, from `now` (ms since the epoch) or from the real time. */
export function fakeDates(now?: number): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: now ?? Date.now() }));
  afterEach(() => void vi.useRealTimers());
}

/** Advances the fake `Date`. */
export const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
