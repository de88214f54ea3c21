// Reads many items of one partition by queries, as long as a query costs less than reads by key. A unit holds about 25
// small items. So queries are cheap where most items are wanted, and expensive in a long list of other items.
import type { Item } from "./key.ts";
import * as Table from "./table.ts";

/** For fewer items, a query saves nothing. */
export const wantedMin = 21;

/** Items that a page may read for each item that is still wanted. It limits the cost of a page without hits. */
const readPerWanted = 2;

/** Returns the wanted items that the queries reached. `rest`: the sort keys that the caller must read by key. */
export async function queryWanted<T>(
  range: Table.Range,
  sortKeys: readonly string[],
): Promise<{ items: (T & Item)[]; rest: string[] }> {
  const items: (T & Item)[] = [];
  const wanted = new Set(sortKeys);
  let rest = [...wanted];
  let { after } = range;
  while (rest.length > 0) {
    const limit = readPerWanted * rest.length;
    const page = await Table.queryWithUnits<T & Item>({ ...range, limit, ...(after !== undefined && { after }) });
    items.push(...page.items.filter(({ sk }) => wanted.has(sk)));
    after = page.next;
    if (after === undefined) return { items, rest: [] };
    const end = Buffer.from(after);
    const left = rest.filter((sk) => Buffer.compare(Buffer.from(sk), end) > 0);
    const reached = rest.length - left.length;
    rest = left;
    if (reached < page.units) break;
  }
  return { items, rest };
}
