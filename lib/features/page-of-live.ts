// One page of a list of small entries that point to large items, many of which can be deleted. Whether an item exists
// is checked before it is loaded, and no more items are loaded than the page has room for.
import { type Page, pageOf } from "../dynamodb/page.ts";

export const itemsMax = 100;
/** Four lists of this size make 4 MB. */
const bytesMax = 1_000_000;
/** Items of the first load, when no size is known yet; each has up to 256 KB. */
const firstLoad = 16;
/** Entries of one read after a read that had no live ones. */
const deadMax = 1_000;

export interface Source<Entry extends { sk: string }> {
  read(limit: number, from?: string): Promise<Page<Entry>>;
  /** Whether each can be live, in their order, from what is cheap to read. */
  canBeLive(entries: Entry[]): Promise<boolean[]>;
  /** The live items, in their order, with their size; undefined: it is deleted. */
  load(entries: Entry[]): Promise<({ exported: object; bytes: number } | undefined)[]>;
}

/**
 * The page after `from`. It ends early when `until` (ms since the epoch) has passed. `next` is absent when no live item
 * follows.
 */
export async function pageOfLive<Entry extends { sk: string }>(
  source: Source<Entry>,
  from: string | undefined,
  until: number,
): Promise<Page<object>> {
  const items: object[] = [];
  let bytes = 0;
  let last = from;
  let limit = itemsMax + 1;
  for (;;) {
    const page = await source.read(limit, last);
    const isLive = await source.canBeLive(page.items);
    let rest = page.items.filter((_, index) => isLive[index]);
    while (rest.length > 0) {
      const count = sizeOfLoad(items.length, bytes);
      const entries = rest.slice(0, count);
      rest = rest.slice(count);
      for (const [index, found] of (await source.load(entries)).entries()) {
        const isFull = items.length === itemsMax || (items.length > 0 && bytes + (found?.bytes ?? 0) > bytesMax);
        if (found && isFull) return pageOf(items, last);
        if (found) {
          items.push(found.exported);
          bytes += found.bytes;
        }
        last = entries[index]?.sk;
      }
    }
    if (page.next === undefined) return { items };
    last = page.next;
    if (Date.now() > until) return { items, next: last };
    limit = isLive.includes(true) ? itemsMax + 1 : deadMax;
  }
}

/** As many as the page has room for, by the mean size so far; and one more, to know whether another follows. */
function sizeOfLoad(count: number, bytes: number): number {
  if (count === 0) return firstLoad;
  const room = Math.ceil((bytesMax - bytes) / (bytes / count));
  return Math.min(itemsMax - count, Math.max(room, 0)) + 1;
}
