// Caches months of judgments and knowledge sources as segments, one cache for each container. Each question reads the
// months' versions. If a version is newer than its segment, the log of changes lists the records to read again. A
// source never changes. A search reads its hits by key at the end, so it never returns deleted records.
import { inParallel } from "../concurrency.ts";
import type { Item } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { Lru } from "../lru.ts";
import { judgmentEntity, type MonthRef } from "../store/judgment.ts";
import * as JudgmentMonth from "../store/judgment-month.ts";
import { chunkEntity, type KnowledgeSource } from "../store/knowledge.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { type Entry, type Fields, Segment } from "./segment.ts";

interface CachedPart {
  versions: JudgmentMonth.Versions;
  segment: Segment;
  /** Records that changed since the segment was made, by sort key; undefined: deleted. */
  changed: Map<string, Entry | undefined>;
  recent: Segment;
}

/**
 * Of all workspaces in one container together. One question searches up to 100,000 judgments and 40,000 chunks, and a
 * quarter of the judgments can have changed. So the parts of one question do not evict one another.
 */
const entriesMax = 165_000;
/** A month is read again when more records than this, and more than a quarter of the month, have changed. */
const changesMax = 500;
const partsInFlight = 4;

const cache = new Lru<string, CachedPart>(entriesMax, ({ segment, changed }) => segment.size + changed.size);

export interface Index {
  segments: Segment[];
  /** Whether the table has a later version of the record. */
  isStale(fields: Fields): boolean;
}

/** A partition that has its own cached segment. */
interface Part {
  pk: string;
  versions: JudgmentMonth.Versions;
  entryOf(item: Item): Entry;
  /** The sort keys of the items that changed since these versions; undefined: unknown, so all must be read again. */
  changedSince(known: JudgmentMonth.Versions): Promise<string[] | undefined>;
}

/** The index of these months and sources, as they are now. */
export async function indexOf(
  { workspace }: WorkspaceRef,
  months: readonly JudgmentMonth.JudgmentMonth[],
  sources: readonly KnowledgeSource[],
): Promise<Index> {
  const parts = [
    ...months.map((each) => monthPart({ workspace, ...each })),
    ...sources.map((each) => sourcePart({ workspace, ...each })),
  ];
  const current = await inParallel(parts, partsInFlight, async (part) => {
    const found = await refreshed(part);
    cache.set(part.pk, found);
    return found;
  });
  const changed = new Map(parts.map(({ pk }, index) => [pk, current[index]?.changed] as const));
  const recent = new Set(current.flatMap((each) => each.recent.fields));
  return {
    segments: current.flatMap((each) => (each.recent.size > 0 ? [each.segment, each.recent] : [each.segment])),
    isStale: (fields) => changed.get(fields.pk)?.has(fields.sk) === true && !recent.has(fields),
  };
}

function monthPart(month: MonthRef & JudgmentMonth.JudgmentMonth): Part {
  const { versions } = month;
  return {
    pk: judgmentEntity.partition(month),
    versions,
    entryOf: judgmentEntry,
    changedSince: (known) => JudgmentMonth.changedSince(month, known, versions),
  };
}

/** A source's chunks never change: a source that is stored again gets a new internal id. */
function sourcePart(source: WorkspaceRef & KnowledgeSource): Part {
  const at = Date.parse(source.createdAt);
  return {
    pk: chunkEntity.partition(source),
    versions: new Map(),
    entryOf: (item) => ({ pk: item.pk, sk: item.sk, at, text: chunkEntity.attributesOf(item).text }),
    changedSince: async () => [],
  };
}

async function refreshed(part: Part): Promise<CachedPart> {
  const { pk, versions, entryOf } = part;
  const known = cache.get(pk);
  if (known && JudgmentMonth.includes(known.versions, versions)) return known;
  if (!known) return load(part);
  const sks = await part.changedSince(known.versions);
  if (!sks || known.changed.size + sks.length > Math.max(changesMax, known.segment.size / 4)) return load(part);
  const items = await Table.getMany<Item>(sks.map((sk) => ({ pk, sk })));
  const changed = new Map(known.changed);
  for (const [index, sk] of sks.entries()) {
    const item = items[index];
    changed.set(sk, item && entryOf(item));
  }
  const recent = new Segment([...changed.values()].filter((each) => each !== undefined));
  return { ...known, versions: JudgmentMonth.latest(known.versions, versions), changed, recent };
}

/** The versions were read before the records. So a change that this read misses is in the log of a later version. */
async function load({ pk, versions, entryOf }: Part): Promise<CachedPart> {
  const entries: Entry[] = [];
  for await (const page of Table.all<Item>({ pk })) entries.push(...page.map(entryOf));
  return { versions, segment: new Segment(entries), changed: new Map(), recent: new Segment([]) };
}

function judgmentEntry(item: Item): Entry {
  const { pk, sk } = item;
  const { createdAt, decision, documentId, annotationId, reasoning, actionUser } = judgmentEntity.attributesOf(item);
  const text = `${decision.replace("_", " ")} ${reasoning} ${actionUser.name ?? ""}`;
  return { pk, sk, at: Date.parse(createdAt), decision, documentId, annotationId, text };
}
