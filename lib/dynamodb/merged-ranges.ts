// Several ranges as one source, by sort key. If items of several ranges have the same sort key, only the item of the
// first range counts. The next page of a range is read only when all its items are used.
import type { Item } from "./key.ts";
import { pageOf, type Source } from "./page.ts";
import { query, type Range } from "./table.ts";

/** How many items may be read. Several lists can share it. */
export interface Budget {
  items: number;
}

interface Stream<T> {
  range: Range;
  /** Items that are read and not used. */
  items: T[];
  /** Sort key to continue after. Undefined: nothing follows. */
  next?: string | undefined;
  hasBegun: boolean;
}

/** Items of one read of each of many ranges. */
const blockMin = 10;

const hasMore = ({ hasBegun, next }: Stream<unknown>) => !hasBegun || next !== undefined;

/**
 * It is fastest if each read begins where the last one ended. A read ends early when the budget is used. It has at
 * least one item if the budget has room for one item of each range.
 */
export function mergedRanges<T>(
  ranges: readonly Range[],
  budget: Budget = { items: Number.POSITIVE_INFINITY },
): Source<T & Item> {
  let streams: Stream<T & Item>[] | undefined;
  let position: string | undefined;

  return async (limit, from) => {
    if (!streams || from !== position) {
      streams = ranges.map((range) => ({ range: { ...range, after: from }, items: [], hasBegun: false }));
      position = from;
    }
    const items: (T & Item)[] = [];
    while (items.length < limit) {
      const empty = streams.filter((stream) => stream.items.length === 0 && hasMore(stream));
      if (empty.length > budget.items) return pageOf(items, position);
      if (empty.length > 0) await fill(empty, limit - items.length, budget);
      else {
        const first = nextOf(streams);
        if (!first) return { items };
        items.push(first);
        position = first.sk;
      }
    }
    return pageOf(items, position);
  };
}

/** Reads the next items of the streams. */
async function fill(streams: Stream<Item>[], wanted: number, budget: Budget): Promise<void> {
  const share = Math.max(blockMin, Math.ceil((2 * wanted) / streams.length));
  const limit = Math.min(wanted, share, Math.floor(budget.items / streams.length));
  await Promise.all(
    streams.map(async (stream) => {
      const { items, next } = await query<Item>({ ...stream.range, after: stream.next ?? stream.range.after, limit });
      Object.assign(stream, { items, next, hasBegun: true });
      budget.items -= items.length;
    }),
  );
}

/** Takes the next item of all streams, in their direction, out of each stream that has it. */
function nextOf<T extends Item>(streams: readonly Stream<T>[]): T | undefined {
  let next: T | undefined;
  for (const { items, range } of streams) {
    const item = items[0];
    if (!item || item.sk === next?.sk) continue;
    if (!next || item.sk > next.sk === Boolean(range.isDescending)) next = item;
  }
  for (const { items } of streams) if (items[0]?.sk === next?.sk) items.shift();
  return next;
}
