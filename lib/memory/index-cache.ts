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
import {
  cacheBytesMax,
  type MayReadMore,
  readsInFlight,
  searchBytesMax,
  segmentCharactersMax,
} from "./search-limits.ts";
import { entryBytes, Segment } from "./segment.ts";
import { SegmentBuilder } from "./segment-builder.ts";

interface CachedPart {
  versions: JudgmentMonth.Versions;
  /** In the order of the sort keys. */
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

const bytesOf = ({ segments, recent, changed }: CachedPart) =>
  [...segments, recent].reduce((sum, { bytes }) => sum + bytes, changed.size * entryBytes);

const cache = new Lru<string, CachedPart>(cacheBytesMax, bytesOf);

interface Index {
  segments: Segment[];
  /** Whether the table has a later version of the record. */
  isStale(fields: Fields): boolean;
  /** Whether the index lacks records, because the call may read no more, or the index has reached its size. */
  isPartial: boolean;
}

/** The index of these parts, as they are now. Earlier parts come first into an index that cannot hold all. */
export async function indexOf(parts: readonly Part[], mayReadMore: MayReadMore): Promise<Index> {
  const size = { bytes: 0 };
  const current = await inParallel(parts, readsInFlight, (part) => refreshed(part, size, mayReadMore));
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
async function refreshed(
  part: Part,
  size: { bytes: number },
  mayReadMore: MayReadMore,
): Promise<CachedPart | undefined> {
  const known = cache.get(part.name);
  let current = known === undefined ? emptyPart(part) : await updated(part, known, mayReadMore);
  if (!current || size.bytes + bytesOf(current) > searchBytesMax) return undefined;
  size.bytes += bytesOf(current);
  while (!current.isComplete && mayReadMore() && size.bytes < searchBytesMax) {
    const { segment, next } = await readSegment(part, mayReadMore, current.after);
    const segments: readonly Segment[] = [...current.segments, segment];
    current = { ...current, segments, after: next, isComplete: next === undefined };
    size.bytes += segment.bytes;
    cache.set(part.name, current);
  }
  return current;
}

/** The versions were read before the records. So a change that this read misses is in the log of a later version. */
const emptyPart = ({ versions }: Part): CachedPart => ({
  versions,
  segments: [],
  isComplete: false,
  changed: new Map(),
  recent: Segment.of([]),
});

/** The cached part with the changes since. It is empty if reading it again is cheaper. */
async function updated(part: Part, known: CachedPart, mayReadMore: MayReadMore): Promise<CachedPart | undefined> {
  const { pk, name, versions, entryOf } = part;
  if (JudgmentMonth.includes(known.versions, versions)) return known;
  if (!mayReadMore()) return undefined;
  const records = known.segments.reduce((sum, { size }) => sum + size, 0);
  const room = Math.max(changesMax, records / 4) - known.changed.size;
  if (JudgmentMonth.writesBetween(known.versions, versions) > room) return emptyPart(part);
  const sks = await part.changedSince(known.versions);
  if (!sks || sks.length > room) return emptyPart(part);
  const changed = new Map(known.changed);
  for (const some of chunks(sks, changesAtOnce)) {
    if (!mayReadMore()) return undefined;
    const items = await Table.getMany<Item>(some.map((sk) => ({ pk, sk })));
    for (const [index, sk] of some.entries()) changed.set(sk, items[index] && entryOf(items[index]));
  }
  const recent = Segment.of([...changed.values()].filter((each) => each !== undefined));
  const current = { ...known, versions: JudgmentMonth.latest(known.versions, versions), changed, recent };
  cache.set(name, current);
  return current;
}

/** The time between two yields. */
const busyMs = 20;

/**
 * The next segment of a part, after a sort key. `next`: where to continue; undefined when all records are read. The work
 * is synchronous and can take seconds, so it yields to the event loop: otherwise no deadline could end the call.
 */
export async function readSegment(
  part: Part,
  mayReadMore: MayReadMore,
  after?: string,
): Promise<{ segment: Segment; next: string | undefined }> {
  const { pk, attributes, entryOf } = part;
  const builder = new SegmentBuilder();
  let next = after;
  let since = monotonicMs();
  do {
    const page = await Table.query<Item>({ pk, attributes, after: next });
    for (const item of page.items) {
      builder.add(entryOf(item));
      if (monotonicMs() - since < busyMs) continue;
      await setImmediate();
      callSignal()?.throwIfAborted();
      since = monotonicMs();
    }
    next = page.next;
  } while (next !== undefined && builder.characters < segmentCharactersMax && mayReadMore());
  return { segment: new Segment(builder), next };
}
