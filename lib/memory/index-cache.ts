// Months of judgments and sources of knowledge as segments, kept by the container. Each question reads the months'
// versions and, where one has moved on, its log of changes: only what changed is read anew. A source never changes. What
// a question is answered from is read by key at the end, so a record that is gone is never used, whatever an index
// remembers.
import { inParallel } from "../concurrency.ts";
import * as Table from "../dynamodb/table.ts";
import type { Judgment } from "../schema/memory.ts";
import * as Judgments from "../store/judgment.ts";
import type * as Knowledge from "../store/knowledge.ts";
import { memoryKeys } from "../store/memory-keys.ts";
import { type Entry, type Fields, Segment } from "./segment.ts";

interface Kept {
  version: number;
  segment: Segment;
  /** Records that changed since the segment was made, by sort key; undefined: gone. */
  changed: Map<string, Entry | undefined>;
  recent: Segment;
}

/** All months and sources of all workspaces in one container together. */
const entriesMax = 150_000;
/** Beyond this many changes, or a quarter of the month, it is read anew. */
const changesMax = 500;
const partsInFlight = 4;

const kept = new Map<string, Kept>();

export interface Index {
  segments: Segment[];
  /** What a segment still has and the table has not, or has otherwise. */
  isStale(fields: Fields): boolean;
}

/** A partition that is indexed as one. */
interface Part {
  pk: string;
  version: number;
  entryOf(item: Table.Item): Entry;
}

export async function indexOf(
  workspace: string,
  months: readonly Judgments.Month[],
  sources: readonly Knowledge.KnowledgeSource[],
): Promise<Index> {
  const parts = [
    ...months.map((each) => monthPart(workspace, each)),
    ...sources.map((each) => sourcePart(workspace, each)),
  ];
  const wanted = await inParallel(parts, partsInFlight, async (part) => {
    const found = await refreshed(part);
    kept.delete(part.pk);
    kept.set(part.pk, found);
    return found;
  });
  forget(new Set(wanted));
  const changed = new Map(parts.map(({ pk }, index) => [pk, wanted[index]?.changed] as const));
  const recent = new Set(wanted.flatMap((each) => each.recent.fields));
  return {
    segments: wanted.flatMap((each) => (each.recent.size > 0 ? [each.segment, each.recent] : [each.segment])),
    isStale: (fields) => changed.get(fields.pk)?.has(fields.sk) === true && !recent.has(fields),
  };
}

function monthPart(workspace: string, { organizationId, month, version }: Judgments.Month): Part {
  const pk = memoryKeys.judgments(workspace, organizationId, month);
  return { pk, version, entryOf: judgmentEntry };
}

/** Its chunks never change: what is stored anew has another uid. */
function sourcePart(workspace: string, { uid, createdAt }: Knowledge.KnowledgeSource): Part {
  const at = Date.parse(createdAt);
  const entryOf = ({ pk, sk, text }: Table.Item) => ({ pk, sk, at, text: String(text) });
  return { pk: memoryKeys.chunks(workspace, uid), version: 1, entryOf };
}

async function refreshed(part: Part): Promise<Kept> {
  const { pk, version, entryOf } = part;
  const known = kept.get(pk);
  if (known && known.version >= version) return known;
  if (!known) return load(part);
  const sks = await Judgments.changedSince(pk, known.version, version);
  if (!sks || known.changed.size + sks.length > Math.max(changesMax, known.segment.size / 4)) return load(part);
  const records = await Table.getMany<Table.Item>(sks.map((sk) => ({ pk, sk })));
  const changed = new Map(known.changed);
  for (const [index, sk] of sks.entries()) {
    const record = records[index];
    changed.set(sk, record && entryOf(record));
  }
  const recent = new Segment([...changed.values()].filter((each) => each !== undefined));
  return { ...known, version, changed, recent };
}

/** The version was read before the records, so what they lack of it is in the log of a later one. */
async function load({ pk, version, entryOf }: Part): Promise<Kept> {
  const entries: Entry[] = [];
  for await (const page of Table.all<Table.Item>({ pk })) entries.push(...page.map(entryOf));
  return { version, segment: new Segment(entries), changed: new Map(), recent: new Segment([]) };
}

function judgmentEntry({ pk, sk, ...record }: Table.Item): Entry {
  const { createdAt, decision, documentId, annotationId, reasoning } = record as unknown as Judgment;
  const text = `${decision.replace("_", " ")} ${reasoning}`;
  return { pk, sk, at: Date.parse(createdAt), decision, documentId, annotationId, text };
}

const sizeOf = ({ segment, changed }: Kept) => segment.size + changed.size;

/** Lets go of what was asked for the longest ago, never of those in use. */
function forget(inUse: Set<Kept>): void {
  let sum = [...kept.values()].reduce((entries, each) => entries + sizeOf(each), 0);
  for (const [pk, each] of kept) {
    if (sum <= entriesMax) return;
    if (inUse.has(each)) continue;
    kept.delete(pk);
    sum -= sizeOf(each);
  }
}
