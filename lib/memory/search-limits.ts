// Limits of one search of the memory, and of the index that a container keeps. Beyond these limits, a search continues
// with the newest records that it has, and its reply has `partial`. So the cost of a question does not grow with the
// memory.
import { currentCall } from "../call.ts";
import { monotonicMs } from "../monotonic.ts";

/** Characters in one segment, in the form in which texts are compared. */
export const segmentCharactersMax = 2_000_000;
/** Index that one search uses. 100,000 judgments of 60 words take about half of it. */
export const searchBytesMax = 192 * 1_048_576;
/** Index in a container, whose function has 1,024 MB: room for one search, and for the index of earlier searches. */
export const cacheBytesMax = 256 * 1_048_576;
/** Maximum judgments that one question searches. */
export const recordsMax = 100_000;
/** Maximum chunks of knowledge that one question searches. */
export const passagesMax = 40_000;
/** Read units for the list of months, and of sources. 256 units read about 8,000 months. */
export const monthUnitsMax = 16 * 256;
export const sourceUnitsMax = 4 * 256;

/** From the start of a search until its index must be ready: less than half of the call's time. */
const indexMsMax = 10_000;
/** Requests and read units of one call. */
const roundTripsMax = 300;
const readUnitsMax = 10_000;
/** Requests that stay free for the reads in flight when the search stops reading, and for the reads after it. */
const roundTripsReserved = 50;
export const readsInFlight = 4;
/** Read units of a page of 1 MB. */
const pageUnits = 256;
/** Read units of the largest record: a judgment has three texts of 64 KB. */
const recordUnits = 50;

/** What a search may still spend on its index. */
export interface Budget {
  /** Whether it may read further records. */
  mayReadMore(): boolean;
  /** Whether it has time for further records. The time of a record depends on its characters, and on the machine. */
  hasTime(): boolean;
}

/** At the end, the call reads the records that it found, at most `limit`. Room for them stays. */
export function budgetBefore(limit: number): Budget {
  const cost = currentCall()?.cost ?? { roundTrips: 0, readUnits: 0 };
  const unitsReserved = readsInFlight * pageUnits + limit * recordUnits;
  const startedAt = monotonicMs();
  const hasTime = () => monotonicMs() - startedAt < indexMsMax;
  const mayReadMore = () =>
    hasTime() && cost.roundTrips < roundTripsMax - roundTripsReserved && cost.readUnits < readUnitsMax - unitsReserved;
  return { mayReadMore, hasTime };
}
