// The day of a limit is that of UTC.
import { hash } from "node:crypto";

const dayMs = 24 * 3_600_000;
/** What waits for the next day does not come back all at once. */
const spreadMs = 3_600_000;

/** The day of a time in ms since the epoch, as in `2026-11-24`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The next midnight after `now`, and up to an hour more: the same for the same id. Both are ms since the epoch. */
export function nextDay(now: number, id: string): number {
  const spread = hash("sha256", id, "buffer").readUInt32BE() % spreadMs;
  return (Math.floor(now / dayMs) + 1) * dayMs + spread;
}
