// Pages over what lies directly in a folder. The folder lists names only; what they stand for is read beside it.
import { fitting, type Position } from "../dynamodb/sharded-page.ts";
import { type Item, query } from "../dynamodb/table.ts";

/** One page, in the order of the names. `load` answers for each of them; what is gone is left out. */
export async function pageOfChildren<T>(
  range: { pk: string; beginsWith: string; limit: number },
  from: Position | undefined,
  load: (children: Item[]) => Promise<(T | undefined)[]>,
): Promise<{ items: T[]; next?: Position }> {
  const page = await query<Item>({ ...range, ...(from?.after && { after: from.after }) });
  const found = await load(page.items);
  const count = fitting(found);
  const after = count < page.items.length ? page.items[count - 1]?.sk : page.next;
  return {
    items: found.slice(0, count).filter((item) => item !== undefined),
    ...(after !== undefined && { next: { shard: 0, after } }),
  };
}
