// A change of the stored items of one entity, from one format to a later one.
import { isDeepStrictEqual } from "node:util";
import { type Item, keyName } from "../dynamodb/key.ts";

/**
 * A call that writes an item in its new form removes the former form in the same write: its attributes, or the item
 * under its former key. So a former form that is found beside the new one was written later, by the release before.
 */
export interface ItemMigration {
  /** The format of the table that it leads to. */
  to: number;
  /** The name of the entity whose items it changes. */
  entity: string;
  /**
   * Returns what replaces the item: usually one item with the same key. It must be pure. It gets items of the new form
   * too, and returns those unchanged. In an item with attributes of both forms, those of the former one are later.
   */
  migrate(item: Item): Item[];
  /**
   * Needed if an item gets another key: returns what remains under it of `moved` and of the item `present` that is
   * there already. `moved` is the later one.
   */
  merge?(moved: Item, present: Item): Item;
}

/** What replaces the item after all migrations, in the order of their formats; undefined when nothing changes. */
export function migrated(item: Item, migrations: readonly ItemMigration[]): Item[] | undefined {
  const inOrder = migrations.toSorted((one, other) => one.to - other.to);
  const items = inOrder.reduce((all, migration) => all.flatMap((each) => step(each, migration)), [item]);
  if (items.length === 1 && items[0] === item) return undefined;
  // Otherwise each pass, and each item that a call has just written in the new form, would be changed again.
  for (const migration of inOrder) {
    if (items.some((each) => !isFixed(each, migration))) {
      throw new Error(`${nameOf(migration)} changes an item that it has made.`);
    }
  }
  return items;
}

function step(item: Item, migration: ItemMigration): Item[] {
  if (isFixed(item, migration)) return [item];
  const results = migration.migrate(item);
  const isMoved = results.some((each) => keyName(each) !== keyName(item));
  if (isMoved && !migration.merge) throw new Error(`${nameOf(migration)} moves items, and has no merge.`);
  return results;
}

/** The migration leaves the item as it is. */
const isFixed = (item: Item, { entity, migrate }: ItemMigration) =>
  item.entity !== entity || isDeepStrictEqual(migrate(item), [item]);

const nameOf = ({ entity, to }: ItemMigration) => `The migration of ${entity} to format ${to}`;

/** What remains of an item that was moved, and of the one `present` that has its key already. */
export function merged(moved: Item, present: Item, migrations: readonly ItemMigration[]): Item {
  const own = migrations.filter(({ entity, merge }) => entity === moved.entity && merge);
  const last = own.toSorted((one, other) => one.to - other.to).at(-1);
  // Both must have the same form.
  const now = migrated(present, migrations)?.find((each) => keyName(each) === keyName(moved)) ?? present;
  return last?.merge?.(moved, now) ?? moved;
}
