// Months of judgments as segments, kept by the container. Each question reads the months' versions and, where one has
// moved on, its log of changes: only what changed is read anew. What a question is answered from is read by key at the
// end, so a record that is gone is never used, whatever an index remembers.
import { inParallel } from "../concurrency.ts";
import type { Judgment } from "../schema/memory.ts";
import * as Judgments from "../store/judgment.ts";
import { memoryKeys } from "../store/memory-keys.ts";
import * as Table from "../store/table.ts";
import { type Entry, type Fields, Segment } from "./segment.ts";

interface Kept {
  version: number;
  segment: Segment;
  /** Records that changed since the segment was made, by sort key; undefined: gone. */
  changed: Map<string, Entry | undefined>;
  recent: Segment;
}

/** All months of all workspaces in one container together. */
const entriesMax = 150_000;
/** Beyond this many changes, or a quarter of the month, it is read anew. */
const changesMax = 500;
const monthsInFlight = 4;

const kept = new Map<string, Kept>();

export interface Index {
  segments: Segment[];
  /** What a segment still has and the table has not, or has otherwise. */
  isStale(fields: Fields): boolean;
}

export async function indexOf(workspace: string, months: readonly Judgments.Month[]): Promise<Index> {
  const wanted = await inParallel(months, monthsInFlight, async (month) => {
    const pk = memoryKeys.judgments(workspace, month.organizationId, month.month);
    const found = await refreshed(pk, month.version);
    kept.delete(pk);
    kept.set(pk, found);
    return found;
  });
  forget(new Set(wanted));
  const changed = new Map<string, Set<string>>();
  for (const [index, { organizationId, month }] of months.entries()) {
    const names = wanted[index]?.changed;
    if (names?.size) changed.set(memoryKeys.judgments(workspace, organizationId, month), new Set(names.keys()));
  }
  const recent = new Set(wanted.flatMap((each) => each.recent.fields));
  return {
    segments: wanted.flatMap((each) => (each.recent.size > 0 ? [each.segment, each.recent] : [each.segment])),
    isStale: (fields) => changed.get(fields.pk)?.has(fields.sk) === true && !recent.has(fields),
  };
}

async function refreshed(pk: string, version: number): Promise<Kept> {
  const known = kept.get(pk);
  if (known && known.version >= version) return known;
  if (!known) return load(pk, version);
  const sks = await Judgments.changedSince(pk, known.version, version);
  if (!sks || known.changed.size + sks.length > Math.max(changesMax, known.segment.size / 4)) return load(pk, version);
  const records = await Judgments.getMany(sks.map((sk) => ({ pk, sk })));
  const changed = new Map(known.changed);
  for (const [index, sk] of sks.entries()) {
    const record = records[index];
    changed.set(sk, record && entryOf(pk, sk, record));
  }
  const recent = new Segment([...changed.values()].filter((each) => each !== undefined));
  return { ...known, version, changed, recent };
}

/** The version was read before the records, so what they lack of it is in the log of a later one. */
async function load(pk: string, version: number): Promise<Kept> {
  const entries: Entry[] = [];
  for await (const page of Table.all<Judgment & { sk: string }>({ pk }))
    for (const record of page) entries.push(entryOf(pk, record.sk, record));
  return { version, segment: new Segment(entries), changed: new Map(), recent: new Segment([]) };
}

function entryOf(pk: string, sk: string, record: Judgment): Entry {
  const { createdAt, decision, documentId, annotationId, reasoning } = record;
  return {
    pk,
    sk,
    at: Date.parse(createdAt),
    decision,
    documentId,
    annotationId,
    text: `${decision.replace("_", " ")} ${reasoning}`,
  };
}

const sizeOf = ({ segment, changed }: Kept) => segment.size + changed.size;

/** Lets go of the months that were asked for the longest ago, never of those in use. */
function forget(inUse: Set<Kept>): void {
  let sum = [...kept.values()].reduce((entries, each) => entries + sizeOf(each), 0);
  for (const [pk, each] of kept) {
    if (sum <= entriesMax) return;
    if (inUse.has(each)) continue;
    kept.delete(pk);
    sum -= sizeOf(each);
  }
}
