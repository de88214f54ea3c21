// Pages over a list that is spread over shards. Most lists are short and end in the first waves; a long one fills its
// page from the first shard, so neither reads what it does not show.
import { shardCount } from "../store/keys.ts";
import { type Item, query } from "./table.ts";

export interface Position {
  shard: number;
  after?: string;
}

/** Shards asked at once: one, then a few, then the rest. */
const waves = [1, 3, shardCount];
/** Characters of one page; with escapes and three-byte characters it stays within 4 MB. */
export const charactersMax = 1_300_000;

/** How many of these, from the first on, one page holds: one at least. */
export function fitting(items: readonly unknown[]): number {
  let characters = 0;
  const end = items.findIndex((item, index) => {
    characters += JSON.stringify(item ?? null).length;
    return index > 0 && characters > charactersMax;
  });
  return end < 0 ? items.length : end;
}

/** Up to `limit` items that `shown` keeps, by shard and then by key. `next` is absent where nothing is left. */
export async function pageOfShards<T>(
  pkOf: (shard: number) => string,
  limit: number,
  from: Position = { shard: 0 },
  shown: (item: T) => boolean = () => true,
): Promise<{ items: T[]; next?: Position }> {
  const items: T[] = [];
  let characters = 0;
  let { shard, after } = from;
  for (const wave of waves) {
    const group = Array.from({ length: Math.min(wave, shardCount - shard) }, (_, index) => shard + index);
    const ranges = group.map((each, index) => ({
      pk: pkOf(each),
      limit: limit + 1,
      ...(index === 0 && after && { after }),
    }));
    const pages = await Promise.all(ranges.map((range) => query<T & Item>(range)));
    for (const [index, page] of pages.entries()) {
      let last = index === 0 ? after : undefined;
      for (const item of page.items) {
        characters += JSON.stringify(item).length;
        const isFull = items.length === limit || (items.length > 0 && characters > charactersMax);
        if (isFull && shown(item))
          return { items, next: { shard: shard + index, ...(last !== undefined && { after: last }) } };
        if (shown(item)) items.push(item);
        last = item.sk;
      }
      if (page.next !== undefined) return { items, next: { shard: shard + index, after: page.next } };
    }
    shard += group.length;
    after = undefined;
    if (shard >= shardCount) break;
  }
  return { items };
}
