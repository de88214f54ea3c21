// Caches months of judgments and knowledge sources as segments, one cache for each container. Each question reads the
// months' versions. If a version is newer than its segments, the log of changes lists the records to read again. A
// source never changes. A search reads its hits by key at the end, so it never returns deleted records.
import { setImmediate } from "node:timers/promises";
import { callSignal } from "../call.ts";
import { chunks, inParallel } from "../concurrency.ts";
import type { Item } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { Lru } from "../lru.ts";
import { monotonicMs } from "../monotonic.ts";
import * as JudgmentMonth from "../store/ai/judgment-month.ts";
import type { Entry, Fields } from "./entry.ts";
import type { Part } from "./index-parts.ts";
import { type Budget, cacheBytesMax, readsInFlight, searchBytesMax, segmentCharactersMax } from "./search-limits.ts";
import { entryBytes, Segment } from "./segment.ts";
import { SegmentBuilder } from "./segment-builder.ts";

interface CachedPart {
  versions: JudgmentMonth.Versions;
  /** The last sort keys first: of a month, the newest judgments. */
  segments: readonly Segment[];
  /** The last sort key in the segments, until all records are read. */
  after?: string | undefined;
  isComplete: boolean;
  /** Records that changed since the segments were made, by sort key; undefined: deleted. */
  changed: ReadonlyMap<string, Entry | undefined>;
  recent: Segment;
}

/** A month is read again when more records than this, and more than a quarter of the month, have changed. */
const changesMax = 500;
/** Changed records that are read before the cost of the call is looked at again. */
const changesAtOnce = 100;

/** Characters of a part's changed records, which are kept: each change indexes them again. */
const changedCharactersMax = 8_000_000;

const charactersOf = (changed: CachedPart["changed"]) =>
  [...changed.values()].reduce((sum, entry) => sum + (entry?.text.length ?? 0), 0);

const bytesOf = ({ segments, recent, changed }: CachedPart) =>
  [...segments, recent].reduce((sum, { bytes }) => sum + bytes, changed.size * entryBytes + 2 * charactersOf(changed));

const cache = new Lru<string, CachedPart>(cacheBytesMax, bytesOf);

interface Index {
  segments: Segment[];
  /** Whether the table has a later version of the record. */
  isStale(fields: Fields): boolean;
  /** Whether the index lacks records, because the call may read no more, or the index has reached its size. */
  isPartial: boolean;
}

/** The index of these parts, as they are now. If the index cannot hold all parts, it has the first ones of the list. */
export async function indexOf(parts: readonly Part[], budget: Budget): Promise<Index> {
  const size = { bytes: 0 };
  const current = await inParallel(parts, readsInFlight, (part) => refreshed(part, size, budget));
  const found = current.filter((each) => each !== undefined);
  const changed = new Map(parts.map(({ pk }, index) => [pk, current[index]?.changed] as const));
  const recent = new Set(found.flatMap((each) => each.recent.fields));
  return {
    segments: found.flatMap((each) => [...each.segments, each.recent]).filter((segment) => segment.size > 0),
    isStale: (fields) => changed.get(fields.pk)?.has(fields.sk) === true && !recent.has(fields),
    isPartial: current.some((each) => !each?.isComplete),
  };
}

/** The part as it is now, with as many records as there is room for; undefined without room to bring it up to date. */
async function refreshed(part: Part, size: { bytes: number }, budget: Budget): Promise<CachedPart | undefined> {
  const known = cache.get(part.name);
  const cached = known === undefined ? emptyPart(part) : await updated(part, known, budget);
  if (!cached || size.bytes >= searchBytesMax) return undefined;
  let current = fitting(cached, size);
  while (!current.isComplete && budget.mayReadMore() && size.bytes < searchBytesMax) {
    const { segment, next } = await readSegment(part, budget, current.after);
    const segments: readonly Segment[] = [...current.segments, segment];
    current = { ...current, segments, after: next, isComplete: next === undefined };
    size.bytes += segment.bytes;
    cache.set(part.name, current);
  }
  return current;
}

/** The part with the first segments, until there is no room. The last one may be too large, as when it is read. */
function fitting(part: CachedPart, size: { bytes: number }): CachedPart {
  size.bytes += bytesOf({ ...part, segments: [] });
  const segments: Segment[] = [];
  for (const segment of part.segments) {
    if (size.bytes >= searchBytesMax) return { ...part, segments, isComplete: false };
    segments.push(segment);
    size.bytes += segment.bytes;
  }
  return part;
}

/** The versions were read before the records. So a change that this read misses is in the log of a later version. */
const emptyPart = ({ versions }: Part): CachedPart => ({
  versions,
  segments: [],
  isComplete: false,
  changed: new Map(),
  recent: Segment.of([]),
});

/**
 * The cached part with the changes since. It is empty if reading it again is cheaper, or if its changes are too much for
 * the call: several calls can read the part, but only one call its changes.
 */
async function updated(part: Part, known: CachedPart, budget: Budget): Promise<CachedPart | undefined> {
  const { pk, name, versions, entryOf } = part;
  if (JudgmentMonth.includes(known.versions, versions)) return known;
  if (!budget.mayReadMore()) return undefined;
  const records = known.segments.reduce((sum, { size }) => sum + size, 0);
  const room = Math.max(changesMax, records / 4) - known.changed.size;
  if (JudgmentMonth.writesBetween(known.versions, versions) > room) return emptied(part);
  const sks = await part.changedSince(known.versions);
  if (!sks || sks.length > room) return emptied(part);
  const changed = new Map(known.changed);
  for (const some of chunks(sks, changesAtOnce)) {
    if (!budget.mayReadMore() || charactersOf(changed) > changedCharactersMax) return emptied(part);
    const items = await Table.getMany<Item>(some.map((sk) => ({ pk, sk })));
    for (const [index, sk] of some.entries()) changed.set(sk, items[index] && entryOf(items[index]));
  }
  const entries = [...changed.values()].filter((each) => each !== undefined);
  const builder = new SegmentBuilder();
  if ((await addTo(builder, entries, (entry) => entry, budget)) < entries.length) return emptied(part);
  const recent = new Segment(builder);
  const current = { ...known, versions: JudgmentMonth.latest(known.versions, versions), changed, recent };
  cache.set(name, current);
  return current;
}

function emptied(part: Part): CachedPart {
  const empty = emptyPart(part);
  cache.set(part.name, empty);
  return empty;
}

/** The time between two yields. */
const busyMs = 20;

/**
 * Adds items until the time is over, and returns their number. The work is synchronous and can take seconds, so it yields
 * to the event loop: otherwise no deadline could end the call.
 */
async function addTo<T>(
  builder: SegmentBuilder,
  items: readonly T[],
  entryOf: (item: T) => Entry,
  { hasTime }: Budget,
): Promise<number> {
  let since = monotonicMs();
  for (const [index, item] of items.entries()) {
    builder.add(entryOf(item));
    if (monotonicMs() - since < busyMs) continue;
    await setImmediate();
    callSignal()?.throwIfAborted();
    if (!hasTime()) return index + 1;
    since = monotonicMs();
  }
  return items.length;
}

/** The next segment of a part, after a sort key. `next`: where to continue; undefined when all records are read. */
export async function readSegment(
  part: Part,
  budget: Budget,
  after?: string,
): Promise<{ segment: Segment; next: string | undefined }> {
  const { pk, attributes, entryOf } = part;
  const builder = new SegmentBuilder();
  let next = after;
  do {
    const { items, next: afterPage } = await Table.query<Item>({ pk, attributes, after: next, isDescending: true });
    const added = await addTo(builder, items, entryOf, budget);
    next = added < items.length ? items[added - 1]?.sk : afterPage;
  } while (next !== undefined && builder.characters < segmentCharactersMax && budget.mayReadMore());
  return { segment: new Segment(builder), next };
}
