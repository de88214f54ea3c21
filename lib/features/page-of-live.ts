// One page of a history: entries that may long be dead, pointing to what may be large. What lives is told before it is
// loaded, and loaded only as far as the page has room.

export const itemsMax = 100;
/** Four lists of this make 4 MB. */
const bytesMax = 1_000_000;
/** Loaded at first, when nothing is known of their size; they have up to 256 KB each. */
const firstLoad = 16;
/** Entries of one read where those before were dead. */
const deadMax = 1_000;

export interface Source<Entry extends { sk: string }> {
  read(after: string | undefined, limit: number): Promise<{ items: Entry[]; next?: string }>;
  /** Whether it can live, in their order, from what is cheap to know. */
  mayLive(entries: Entry[]): Promise<boolean[]>;
  /** What lives, in their order, with its size. */
  load(entries: Entry[]): Promise<({ shown: object; bytes: number } | undefined)[]>;
}

export interface LivePage {
  items: object[];
  /** Go on after this; absent exactly where nothing lives beyond. */
  next?: string;
}

/** The page after `after`; ends with what it has when `until` (ms since the epoch) comes. */
export async function pageOfLive<Entry extends { sk: string }>(
  source: Source<Entry>,
  after: string | undefined,
  until: number,
): Promise<LivePage> {
  const items: object[] = [];
  let bytes = 0;
  let last = after;
  let limit = itemsMax + 1;
  for (;;) {
    const page = await source.read(last, limit);
    const alive = await source.mayLive(page.items);
    let rest = page.items.filter((_, index) => alive[index]);
    while (rest.length > 0) {
      const count = sizeOfLoad(items.length, bytes);
      const entries = rest.slice(0, count);
      rest = rest.slice(count);
      for (const [index, found] of (await source.load(entries)).entries()) {
        const isFull = items.length === itemsMax || (items.length > 0 && bytes + (found?.bytes ?? 0) > bytesMax);
        if (found && isFull) return { items, ...(last !== undefined && { next: last }) };
        if (found) {
          items.push(found.shown);
          bytes += found.bytes;
        }
        last = entries[index]?.sk;
      }
    }
    if (page.next === undefined) return { items };
    last = page.next;
    if (Date.now() > until) return { items, next: last };
    limit = alive.includes(true) ? itemsMax + 1 : deadMax;
  }
}

/** As many as the page has room for, by the size of those before; and one more, to know whether more live. */
function sizeOfLoad(count: number, bytes: number): number {
  if (count === 0) return firstLoad;
  const room = Math.ceil((bytesMax - bytes) / (bytes / count));
  return Math.min(itemsMax - count, Math.max(room, 0)) + 1;
}
