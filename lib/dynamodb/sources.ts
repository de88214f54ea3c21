// Sources of the entries of a list (`page.ts`): a range of the table, several sources one after another, and ids. In
// `merged-ranges.ts`: several ranges as one.
import type { Entity } from "./entity.ts";
import { allShards, type Item } from "./key.ts";
import { type Bounds, fillPage, firstOf, type Page, type Position, pageOf, type Source } from "./page.ts";
import { queryWithUnits, type Range } from "./table.ts";

/** DynamoDB ends a page at 1 MB, which is 256 units. A read that has used half of that is not continued. */
const fullReadUnits = 128;
/** Most requests for one read, so that it ends in time also if DynamoDB ends each of them early. */
const requestsMax = 20;

/** The items of a range. A read goes on when DynamoDB ends a page early, until it has half a MB. */
export function inRange<T>(range: Range): Source<T & Item> {
  return async (limit, from) => {
    const items: (T & Item)[] = [];
    let [units, after] = [0, from];
    for (let requests = 0; requests < requestsMax && units < fullReadUnits; requests++) {
      const page = await queryWithUnits<T & Item>({ ...range, after, limit: limit - items.length });
      items.push(...page.items);
      units += page.units;
      after = page.next;
      if (after === undefined || items.length >= limit) break;
    }
    return pageOf(items, after);
  };
}

/** The items of an entity in one partition, or shard by shard. */
export function itemsOf<PartitionRef, SortRef, T extends object>(
  { spec, range }: Entity<PartitionRef, SortRef, T>,
  ref: PartitionRef,
): Source<T & Item> {
  if (!spec.shardBy) return inRange<T>(range(ref));
  return inSequence(
    allShards.map((shard) => inRange<T>(range(ref, shard))),
    "parallel",
  );
}

/** Entries that one page examines. A hidden item costs little. */
const entriesMax = 10_000;

/** One page of the items of an entity, without items for which `isShown` is false. */
export async function pageOfItems<PartitionRef, SortRef, T extends object>(
  entity: Entity<PartitionRef, SortRef, T>,
  ref: PartitionRef,
  bounds: Bounds,
  isShown: (item: T) => boolean = () => true,
): Promise<Page<T & Item>> {
  const show = (items: (T & Item)[]) => items.map((item) => (isShown(item) ? item : undefined));
  return fillPage({ read: itemsOf(entity, ref), show }, { entriesMax, ...bounds });
}

/**
 * The entries of several sources, one source after another. `source` is the index of an entry's source. The first round
 * reads one source, which often has enough of a long list. The next rounds read more sources in parallel, so a short
 * list takes only three rounds.
 */
export function inSequence<E extends Position>(
  sources: readonly Source<E>[],
  mode: "parallel" | "one by one",
): Source<E & { source: number }> {
  const together = mode === "parallel" ? [1, 3] : sources.map(() => 1);
  return async (limit, from = "0:") => {
    const colon = from.indexOf(":");
    let [source, after] = [Number(from.slice(0, colon)), from.slice(colon + 1) || undefined];
    const items: (E & { source: number })[] = [];
    for (let round = 0; source < sources.length && items.length < limit; round++) {
      const some = sources.slice(source, source + (together[round] ?? sources.length));
      const wanted = limit - items.length;
      const pages = await Promise.all(some.map((read, index) => read(wanted, index === 0 ? after : undefined)));
      for (const page of pages) {
        for (const entry of page.items) items.push({ ...entry, source, sk: `${source}:${entry.sk}` });
        if (page.next !== undefined) return pageOf(items, `${source}:${page.next}`);
        source += 1;
      }
      after = undefined;
    }
    return pageOf(items, source < sources.length ? `${source}:` : undefined);
  };
}

/** These ids, in their order. */
function withIds(ids: readonly string[]): Source<Position> {
  return async (limit, from) => {
    const rest = ids.slice(from === undefined ? 0 : ids.indexOf(from) + 1);
    return firstOf(
      rest.map((id) => ({ sk: id })),
      limit,
    );
  };
}

/** One page of the items with these ids, in their order. `load` returns undefined for an id without an item. */
export function pageOfIds<T>(
  ids: readonly string[],
  bounds: Bounds,
  load: (ids: string[]) => Promise<(T | undefined)[]>,
): Promise<Page<T>> {
  return fillPage({ read: withIds(ids), show: (entries) => load(entries.map(({ sk }) => sk)) }, bounds);
}
