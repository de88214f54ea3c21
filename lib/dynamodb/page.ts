// A page of a list. A source reads the entries of the list in their order, and each entry shows an item, or is hidden.
// One loop fills all pages. The position of the next page is a string that only the list itself can interpret.

export interface Page<T> {
  items: T[];
  /** The position of the next page; absent at the end of the list. */
  next?: string;
}

/** Where the next page continues if a page ends with this entry. */
export interface Position {
  sk: string;
}

/**
 * Reads `limit` entries after the position `from`. It can return fewer, with `next`, to bound the read. It can return more
 * when one read has brought more.
 */
export type Source<E extends Position> = (limit: number, from?: string) => Promise<Page<E>>;

export interface List<E extends Position, T> {
  read: Source<E>;
  /** The item that each entry shows, in the order of `entries`; undefined: it is hidden. */
  show(entries: NoInfer<E>[]): Promise<(T | undefined)[]> | (T | undefined)[];
  /**
   * For large items, of which many can be deleted: whether each entry's item can exist. Makes only cheap reads. `show`
   * then gets only entries whose items can exist, and only as many as the page has room for.
   */
  canShow?(entries: NoInfer<E>[]): Promise<boolean[]>;
  /** The size of an entry's item, if the entry says it. Default: the mean size of the items before. */
  expectedSizeOf?(entry: NoInfer<E>): number;
  /** Default: characters as JSON. */
  sizeOf?(item: T): number;
}

export interface Bounds {
  /** Most items of the page. */
  limit: number;
  /** The position after which the page begins; undefined: the start of the list. */
  from?: string | undefined;
  /** The most that all items may measure together (`sizeOf`). A page has at least one item. */
  sizeMax?: number;
  /** After so many entries the page ends, also without an item (DECISIONS.md#pages). */
  entriesMax?: number;
  /** After this time, ms since the epoch, the page ends with the items that it has. */
  until?: number;
}

/** Characters of a page as JSON. Each is sent as at most three bytes, escapes included: below 4 MB. */
export const pageCharactersMax = 1_300_000;
/** Large items to load while no size is known. */
const firstLoad = 16;
/** Entries to show together, at least: hidden entries are loaded too. */
const shownMin = 100;
/** Most entries to ask for in one read. */
const readMax = 5_000;
/** Most reads for one page, so that it ends in time also if DynamoDB ends each of them early. */
const readsMax = 30;
const charactersOf = (item: unknown) => JSON.stringify(item).length;

export function pageOf<T>(items: T[], next: string | undefined): Page<T> {
  return next === undefined ? { items } : { items, next };
}

/** The first `limit` entries. `next`: the position after all of them. */
export function firstOf<E extends Position>(entries: E[], limit: number, next?: string): Page<E> {
  return entries.length > limit ? pageOf(entries.slice(0, limit), entries[limit - 1]?.sk) : pageOf(entries, next);
}

/** One page of the list. It asks for one item more than it returns: without such an item, `next` is absent. */
export async function fillPage<E extends Position, T>(list: List<E, T>, bounds: Bounds): Promise<Page<T>> {
  const { read, show, canShow, expectedSizeOf, sizeOf = charactersOf } = list;
  const { limit, from, sizeMax = pageCharactersMax, entriesMax = 1_000, until = Number.POSITIVE_INFINITY } = bounds;
  const items: T[] = [];
  let [size, examined, last] = [0, 0, from];
  for (let reads = 0; reads < readsMax && examined < entriesMax; reads++) {
    const wanted = Math.min(toRead(), entriesMax - examined);
    const page = await read(wanted, last);
    examined += page.items.length;
    const isPossible = await canShow?.(page.items);
    let rest = isPossible ? page.items.filter((_, index) => isPossible[index]) : page.items;
    while (rest.length > 0) {
      const part = rest.slice(0, canShow ? toLoad(rest) : Math.min(wanted, Math.max(limit + 1, shownMin)));
      rest = rest.slice(part.length);
      for (const [index, item] of (await show(part)).entries()) {
        if (item !== undefined) {
          const more = sizeOf(item);
          const isFull = items.length === limit || (items.length > 0 && size + more > sizeMax);
          if (isFull) return pageOf(items, last);
          items.push(item);
          size += more;
        }
        last = part[index]?.sk;
      }
    }
    if (page.next === undefined) return { items };
    last = page.next;
    const isTooMuch = items.length > 0 && page.items.length < wanted;
    if (isTooMuch || Date.now() > until) break;
  }
  return pageOf(items, last);

  /** Assumes that the share of shown entries stays the same. */
  function toRead(): number {
    const missing = limit + 1 - items.length;
    const estimate = Math.ceil((missing * examined) / Math.max(items.length, 1));
    return Math.min(Math.max(missing, estimate), readMax);
  }

  /** As many large items as fit the page, and one more, which shows whether another item follows. */
  function toLoad(rest: E[]): number {
    const most = limit - items.length + 1;
    if (expectedSizeOf) {
      let [count, total] = [0, size];
      for (const entry of rest.slice(0, most)) {
        count += 1;
        total += expectedSizeOf(entry);
        if (total > sizeMax) break;
      }
      return count;
    }
    if (items.length === 0) return firstLoad;
    return Math.min(most, Math.max(Math.ceil(((sizeMax - size) * items.length) / size), 0) + 1);
  }
}
