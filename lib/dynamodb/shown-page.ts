// Pages of a list in which some entries are hidden, since the item of an entry has ended or was deleted. A page skips
// hidden entries and reads further entries instead.
import { type Page, pageCharactersMax, pageOf } from "./page.ts";

export interface ListWithHidden<Entry extends { sk: string }, T> {
  /** Up to `limit` entries. A position is the `sk` of an entry, or the `next` of an earlier read. */
  read(limit: number, from: string | undefined): Promise<Page<Entry>>;
  /** What each entry shows, in the order of `entries`; undefined: it is hidden. */
  show(entries: Entry[]): Promise<(T | undefined)[]>;
  /** Characters of an item as JSON. Default: it is measured. */
  charactersOf?(item: T): number;
}

/** Entries of each further read. */
const entriesPerRead = 100;
/** After so many hidden entries a page ends, also without an item (DECISIONS.md#pages). */
export const hiddenMax = 1_000;
/** Most reads for one page, so that it ends in time also if DynamoDB ends each of them early. */
const readsMax = 30;

const measured = (item: unknown) => JSON.stringify(item).length;

/**
 * At most `limit` items, and no more than fit into a reply. The page reads one item more than it returns: without such
 * an item, `next` is absent.
 */
export async function pageOfShown<Entry extends { sk: string }, T>(
  { read, show, charactersOf = measured }: ListWithHidden<Entry, T>,
  limit: number,
  from: string | undefined,
): Promise<Page<T>> {
  const items: T[] = [];
  let characters = 0;
  let hidden = 0;
  let last = from;
  for (let reads = 0; reads < readsMax && hidden < hiddenMax; reads++) {
    const page = await read(reads === 0 ? limit + 1 : Math.max(limit + 1, entriesPerRead), last);
    const shown = await show(page.items);
    for (const [index, { sk }] of page.items.entries()) {
      const item = shown[index];
      if (item !== undefined) {
        characters += charactersOf(item);
        const isFull = items.length === limit || (items.length > 0 && characters > pageCharactersMax);
        if (isFull) return pageOf(items, last);
        items.push(item);
      } else hidden += 1;
      last = sk;
    }
    if (page.next === undefined) return { items };
    last = page.next;
  }
  return pageOf(items, last);
}

/** One page of the items with these ids, in their order; `load` returns undefined for an id without an item. */
export async function pageOfIds<T>(
  ids: readonly string[],
  load: (ids: string[]) => Promise<(T | undefined)[]>,
  limit: number,
  from: string | undefined,
): Promise<Page<T>> {
  const list: ListWithHidden<{ sk: string }, T> = {
    async read(size, after) {
      const start = after === undefined ? 0 : ids.indexOf(after) + 1;
      const part = ids.slice(start, start + size);
      return pageOf(
        part.map((id) => ({ sk: id })),
        start + part.length < ids.length ? part.at(-1) : undefined,
      );
    },
    show: (entries) => load(entries.map(({ sk }) => sk)),
  };
  return pageOfShown(list, limit, from);
}
