// One page of a list of small entries that point to large items. Many of the items can be deleted. So an item is loaded
// only after a check that it can exist, and only as many are loaded as the page may have room for.
import { type Page, pageOf } from "./page.ts";

export interface PageLimits {
  items: number;
  /** Bytes of the page, as they are sent. */
  bytes: number;
  /** Entries that the page reads, shown or not. Default: any number. */
  entries?: number;
}

export const itemsMax = 100;
/** A reply has up to four lists, so at most 4 MB. */
const ofOneList: PageLimits = { items: itemsMax, bytes: 1_000_000 };
/** Items of the first load, when no size is known. Each has up to 256 KB. */
const firstLoad = 16;
/** Entries to read after a read without live entries. */
const deadMax = 1_000;

export interface Source<Entry extends { sk: string }> {
  read(limit: number, from?: string): Promise<Page<Entry>>;
  /** Whether each entry's item can exist, in the order of `entries`. Makes only cheap reads. */
  canBeLive(entries: Entry[]): Promise<boolean[]>;
  /** The items in the order of `entries`, with their size as it is sent (`http/reply-size.ts`); undefined: deleted. */
  load(entries: Entry[]): Promise<({ exported: object; bytes: number } | undefined)[]>;
}

/**
 * Returns the page after `from`. It ends early when `until` (ms since the epoch) has passed, or when it has read as many
 * entries as it may. Without `next`, no live item follows.
 */
export async function pageOfLive<Entry extends { sk: string }>(
  source: Source<Entry>,
  from: string | undefined,
  until: number,
  limits: PageLimits = ofOneList,
): Promise<Page<object>> {
  const items: object[] = [];
  let bytes = 0;
  let last = from;
  let limit = limits.items + 1;
  let entriesLeft = limits.entries ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const start = last;
    const page = await source.read(Math.min(limit, entriesLeft), start);
    entriesLeft -= page.items.length;
    const isLive = await source.canBeLive(page.items);
    let rest = page.items.filter((_, index) => isLive[index]);
    while (rest.length > 0) {
      const count = sizeOfLoad(items.length, bytes, limits);
      const entries = rest.slice(0, count);
      rest = rest.slice(count);
      for (const [index, found] of (await source.load(entries)).entries()) {
        const isFull = isFullFor(found?.bytes ?? 0);
        if (found && isFull) return pageOf(items, last);
        if (found) {
          items.push(found.exported);
          bytes += found.bytes;
        }
        last = entries[index]?.sk;
      }
    }
    if (page.next === undefined) return { items };
    // A source that reads several lists can use up what it may read before this page has as many entries.
    const isSpent = entriesLeft <= 0 || page.next === start;
    last = page.next;
    if (Date.now() > until || isSpent) return { items, next: last };
    limit = isLive.includes(true) ? limits.items + 1 : deadMax;
  }

  function isFullFor(more: number): boolean {
    return items.length === limits.items || (items.length > 0 && bytes + more > limits.bytes);
  }
}

/** Estimates from the mean size how many items fit the page. Adds one, which shows whether another item follows. */
function sizeOfLoad(count: number, bytes: number, limits: PageLimits): number {
  if (count === 0) return firstLoad;
  const room = Math.ceil((limits.bytes - bytes) / (bytes / count));
  return Math.min(limits.items - count, Math.max(room, 0)) + 1;
}
