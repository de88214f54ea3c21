// Limits of one search of the memory, and of the index that a container keeps. Beyond these limits, a search continues
// with the newest records that it has, and its reply has `partial`. So the cost of a question does not grow with the
// memory.
import { currentCall } from "../call.ts";

/** Characters of a record that are indexed: about 2,500 words. The reasons of a decision come first. */
export const indexedCharactersMax = 16_384;
/** Characters in one segment. A search that is ended early loses at most the segment it was building. */
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

/** Whether the running call may read further records into its index. */
export type MayReadMore = () => boolean;

/** At the end, the call reads the records that it found, at most `limit`. Room for them stays. */
export function mayReadMoreBefore(limit: number): MayReadMore {
  const cost = currentCall()?.cost;
  const unitsReserved = readsInFlight * pageUnits + limit * recordUnits;
  return () =>
    cost === undefined ||
    (cost.roundTrips < roundTripsMax - roundTripsReserved && cost.readUnits < readUnitsMax - unitsReserved);
}
