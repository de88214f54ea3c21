// Pages of a list that is spread over shards. The first round queries one shard, which often fills the page of a long
// list. The next rounds query more shards in parallel, so a short list takes only three rounds.
import { type Item, shardCount, shardOf } from "./key.ts";
import { type Page, pageCharactersMax, pageOf } from "./page.ts";
import { queryFull } from "./table.ts";

/** Shards to query in parallel in each round. The last round queries all that remain. */
const shardsPerRound = [1, 3, shardCount];

/** The position of a page: a shard, and the sort key in it to continue after. */
interface Position {
  shard: number;
  after?: string | undefined;
}

const written = ({ shard, after = "" }: Position) => `${shard}:${after}`;

/** The position after an item of such a list. `id`: the id that determines its shard. */
export const positionAfter = (id: string, sk: string) => written({ shard: shardOf(id), after: sk });

function position(next = "0:"): Position {
  const colon = next.indexOf(":");
  return { shard: Number(next.slice(0, colon)), after: next.slice(colon + 1) || undefined };
}

/** Items of each further query, when hidden ones have left the page short. Hidden items are small. */
const hiddenPerQuery = 1_000;
/** How often a page continues past hidden items. Then it ends short, and the next page continues. */
const continuationsMax = 8;

/**
 * Up to `limit` items for which `isShown` is true, ordered by shard and then by sort key. Hidden items do not end the
 * page, unless there are thousands of them.
 */
export async function pageOfShards<T>(
  partition: (shard: number) => string,
  limit: number,
  from?: string,
  isShown: (item: T) => boolean = () => true,
): Promise<Page<T>> {
  const items: T[] = [];
  let characters = 0;
  let part = await read(position(from), limit + 1);
  for (let count = 0; count < continuationsMax && part.next && !part.isFull; count++)
    part = await read(part.next, hiddenPerQuery);
  return pageOf(items, part.next && written(part.next));

  /** Adds items from the position on. `next`: where it ended, because the page is full or a query had a limit. */
  async function read({ shard, after }: Position, queryLimit: number): Promise<{ next?: Position; isFull?: true }> {
    for (const round of shardsPerRound) {
      const shards = Array.from({ length: Math.min(round, shardCount - shard) }, (_, index) => shard + index);
      const ranges = shards.map((each, index) => ({
        pk: partition(each),
        limit: queryLimit,
        after: index === 0 ? after : undefined,
      }));
      const pages = await Promise.all(ranges.map((range) => queryFull<T & Item>(range)));
      for (const [index, page] of pages.entries()) {
        let last = index === 0 ? after : undefined;
        for (const item of page.items) {
          if (isShown(item)) {
            characters += JSON.stringify(item).length;
            const isFull = items.length === limit || (items.length > 0 && characters > pageCharactersMax);
            if (isFull) return { next: { shard: shard + index, after: last }, isFull };
            items.push(item);
          }
          last = item.sk;
        }
        if (page.next !== undefined) return { next: { shard: shard + index, after: page.next } };
      }
      shard += shards.length;
      after = undefined;
      if (shard >= shardCount) break;
    }
    return {};
  }
}
