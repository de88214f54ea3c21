// Says what was done to a log at the first line that does not follow from the line before it (the departure). Several
// kinds of change look the same at that line. So the whole rest of the log is read to tell them apart, but little of it
// is kept in memory.
import { firstHash, hashOfRecord } from "../../../lib/store/activity/activity-chain.ts";
import type { Exported } from "./exported.ts";

/** The last record that is as it was written. Without a chain: there is none yet. */
export interface LastRecord {
  sequence: number;
  chain?: string;
  hash?: string;
}

/** Where a log is not as it was written. */
export interface Fault {
  what: "changed" | "removed" | "inserted" | "moved" | "replaced" | "truncated";
  /** The sequence number of the record; of an inserted line: of the record before which it stands. */
  sequence: number;
  /** Counts from 1. Absent: the record is in no line. */
  line?: number;
  message: string;
}

/** Whether a record has the number, the chain and the hash that follow from the record before it. */
export function follows({ sequence, chain, hash }: LastRecord, { record, hash: stated }: Exported): boolean {
  if (record.sequence !== sequence + 1 || (chain !== undefined && record.chain !== chain)) return false;
  return hashOfRecord(hash ?? firstHash(record.chain), record) === stated;
}

export interface Departure {
  /** Takes each further line. */
  see(entry: Exported | undefined, line: number): void;
  fault(): Fault;
}

/** What the lines after the departure have shown. */
interface Seen {
  /** The line of the record that should be at the departure. */
  genuineAt?: number;
  /** The sequence number in the line after it. */
  next?: number | undefined;
  /** The record at the departure follows from a later one, so it was moved or copied from there. */
  isFromLater: boolean;
  /** A later record has the same sequence number. */
  hasTwin: boolean;
}

export function departureAt(last: LastRecord, entry: Exported | undefined, line: number): Departure {
  const seen: Seen = { isFromLater: false, hasTwin: false };
  return {
    see(other, at) {
      if (!other) return;
      if (at === line + 1) seen.next = other.record.sequence;
      if (follows(last, other)) seen.genuineAt ??= at;
      if (!entry) return;
      seen.hasTwin ||= other.record.sequence === entry.record.sequence;
      seen.isFromLater ||= follows({ ...other.record, hash: other.hash }, entry);
    },
    fault: () =>
      seen.genuineAt === undefined ? lost(last, entry, line, seen.next) : displaced(last, entry, line, seen),
  };
}

/** The record that should be in this line is in none. `next`: the sequence number in the line after it. */
function lost(last: LastRecord, entry: Exported | undefined, line: number, next?: number): Fault {
  const expected = last.sequence + 1;
  if (!entry) {
    return {
      what: "changed",
      sequence: expected,
      line,
      message: `Line ${line} should have record ${expected}, but is none as the export writes it.`,
    };
  }
  const stated = entry.record.sequence;
  const isNumberChanged = follows(last, { ...entry, record: { ...entry.record, sequence: expected } });
  const isNextInPlace = next === expected + 1 && stated !== expected + 1;
  if (stated === expected || isNumberChanged || isNextInPlace) {
    const message = `Record ${expected}, in line ${line}, is not the one that was written there.`;
    return { what: "changed", sequence: expected, line, message };
  }
  if (stated < expected) return inserted(expected, line);
  const missing = stated === expected + 1 ? `record ${expected} is` : `the records ${expected} to ${stated - 1} are`;
  return { what: "removed", sequence: expected, message: `Before line ${line}, ${missing} missing.` };
}

/** The record that should be in this line is in a later one. */
function displaced(last: LastRecord, entry: Exported | undefined, line: number, seen: Seen): Fault {
  const expected = last.sequence + 1;
  const stated = entry?.record.sequence ?? 0;
  if (stated <= expected || !seen.isFromLater || seen.hasTwin) return inserted(expected, line);
  const genuineAt = seen.genuineAt ?? line;
  // One record was moved up, or the expected one was moved down.
  const isMovedUp = genuineAt === line + 1 && stated > expected + 1;
  const [sequence, at] = isMovedUp ? [stated, line] : [expected, genuineAt];
  return { what: "moved", sequence, line: at, message: `Record ${sequence} was moved to line ${at}.` };
}

function inserted(sequence: number, line: number): Fault {
  return { what: "inserted", sequence, line, message: `Line ${line} was inserted before record ${sequence}.` };
}
