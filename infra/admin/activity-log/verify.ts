// Verifies an exported activity log, without the service (functions/activity-log/ACTIVITY.md). It reads one line at a time,
// so a log of any length needs the same memory.

import type { Checkpoint } from "../../../lib/activity/checkpoint.ts";
import { type ContentPart, hashOfText } from "../../../lib/store/activity/activity-chain.ts";
import { type Departure, departureAt, type Fault, follows, type LastRecord } from "./departure.ts";
import { type Exported, exportedIn, isSalted } from "./exported.ts";

/** A log that is as it was written. */
export interface Verified {
  records: number;
  /** Absent: the log has no records. */
  chain?: string;
  organizationId?: string;
  /** Of the last record, hex. */
  hash?: string;
  textsRemoved: number;
}

export type Verdict = { fault: Fault } | { verified: Verified };

/** Reads all lines, as `linesOf` returns them. Names the first record that is not as it was written. */
export async function verifyLog(
  lines: AsyncIterable<string | undefined>,
  ...checkpoints: readonly Checkpoint[]
): Promise<Verdict> {
  let last: LastRecord & { organizationId?: string } = { sequence: 0 };
  let departure: Departure | undefined;
  let textsRemoved = 0;
  let line = 0;
  for await (const text of lines) {
    line++;
    const entry = text === undefined ? undefined : exportedIn(text);
    if (departure) {
      departure.see(entry, line);
      continue;
    }
    if (text?.endsWith("\n") === false) return { fault: cutOff(last, line) };
    if (!entry || !follows(last, entry)) {
      departure = departureAt(last, entry, line);
      continue;
    }
    const fault = textFault(entry, line) ?? first(checkpoints, (each) => checkpointFault(each, entry, line));
    if (fault) return { fault };
    textsRemoved += Object.keys(entry.record.content).length - Object.keys(entry.texts ?? {}).length;
    const { sequence, chain, organizationId } = entry.record;
    last = { sequence, chain, organizationId, hash: entry.hash };
  }
  const fault = departure?.fault() ?? first(checkpoints, (each) => truncation(each, last));
  if (fault) return { fault };
  const { sequence: records, ...of } = last;
  return { verified: { records, ...of, textsRemoved } };
}

/** A missing text is no fault: an erasure removes texts. Any other difference is a fault. */
function textFault({ record, texts = {} }: Exported, line: number): Fault | undefined {
  const { sequence, content } = record;
  for (const [part, text] of Object.entries(texts)) {
    if (Object.hasOwn(content, part) && isSalted(text) && hashOfText(text) === content[part as ContentPart]) continue;
    const message = `The text \`${part}\` of record ${sequence}, in line ${line}, is not the one that was recorded.`;
    return { what: "changed", sequence, line, message };
  }
  return undefined;
}

function first(
  checkpoints: readonly Checkpoint[],
  faultOf: (each: Checkpoint) => Fault | undefined,
): Fault | undefined {
  for (const each of checkpoints) {
    const fault = faultOf(each);
    if (fault) return fault;
  }
  return undefined;
}

function checkpointFault(checkpoint: Checkpoint, { record, hash }: Exported, line: number): Fault | undefined {
  const { sequence, chain, organizationId } = record;
  const isSameLog = chain === checkpoint.chain && organizationId === checkpoint.organizationId;
  if (isSameLog && (sequence !== checkpoint.sequence || hash === checkpoint.hash)) return undefined;
  const why = isSameLog
    ? "is not the one of the checkpoint: the log was written anew"
    : "is of another log than the checkpoint";
  return { what: "replaced", sequence, line, message: `Record ${sequence}, in line ${line}, ${why}.` };
}

/** The fault of a log whose last line does not end. */
function cutOff({ sequence }: LastRecord, line: number): Fault {
  const message = `Line ${line} does not end with a line feed: the export was cut off.`;
  return { what: "truncated", sequence: sequence + 1, line, message };
}

/** The fault of a log that ends before its checkpoint. */
function truncation({ sequence: signed }: Checkpoint, { sequence }: LastRecord): Fault | undefined {
  if (sequence >= signed) return undefined;
  const message = `The log ends after record ${sequence}, but the checkpoint is of record ${signed}.`;
  return { what: "truncated", sequence: sequence + 1, message };
}
