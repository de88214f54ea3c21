// A change of the stored items of one entity, from one format to a later one.
import { isDeepStrictEqual } from "node:util";
import type { Item } from "../dynamodb/key.ts";

export interface ItemMigration {
  /** The format of the table that it leads to. */
  to: number;
  /** The name of the entity whose items it changes. */
  entity: string;
  /**
   * Returns what replaces the item: usually one item with the same key. It must be pure. It also gets items that are
   * in the format `to` already, since running calls write them, and returns those unchanged.
   */
  migrate(item: Item): Item[];
}

/** The format of an item. One without the attribute has the first, or one that its migration recognizes. */
const formatOf = ({ format }: Item) => (typeof format === "number" ? format : 1);

/**
 * What replaces the item after all migrations, in the order of their formats; undefined when nothing changes. Each item
 * that a migration changed has the attribute `format`.
 */
export function migrated(item: Item, migrations: readonly ItemMigration[]): Item[] | undefined {
  const inOrder = [...migrations].sort((one, other) => one.to - other.to);
  const items = inOrder.reduce((all, migration) => all.flatMap((each) => step(each, migration)), [item]);
  return items.length === 1 && items[0] === item ? undefined : items;
}

function step(item: Item, { to, entity, migrate }: ItemMigration): Item[] {
  if (item.entity !== entity || formatOf(item) >= to) return [item];
  const results = migrate(item);
  if (isDeepStrictEqual(results, [item])) return [item];
  // Otherwise an item that a call has just written in the new format would be changed a second time.
  const isStable = results.every((each) => each.entity !== entity || isDeepStrictEqual(migrate(each), [each]));
  if (!isStable) throw new Error(`The migration of ${entity} to format ${to} changes an item that it has made.`);
  return results.map((each) => ({ ...each, format: to }));
}
