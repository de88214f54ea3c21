import { type Item, keyName } from "../dynamodb/key.ts";
import { replacement } from "../dynamodb/replacement.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import { entities } from "../store/entities.ts";
import { type ItemMigration, merged, migrated } from "./migrated.ts";

/**
 * Migrates one item, as it is when it is written: an item that a call changed since it was read is read again. Returns
 * whether it changed.
 */
export async function migrateItem(read: Item, migrations: readonly ItemMigration[]): Promise<boolean> {
  return retryOnConflict("item", async (attempt) => {
    const item = attempt === 0 ? read : await Table.get<Item>({ pk: read.pk, sk: read.sk });
    const results = item && migrated(item, migrations);
    if (!results) return false;
    const others = results.filter((each) => keyName(each) !== keyName(item));
    const found = await Table.getMany<Item>(others.map(({ pk, sk }) => ({ pk, sk })));
    const present = new Map(found.flatMap((each) => (each ? [[keyName(each), each] as const] : [])));
    const by = results.map((each) => {
      const there = present.get(keyName(each));
      return there ? merged(each, there, migrations) : each;
    });
    return (await commit(replacement(item, by, attributesOf, present))) ? true : conflict;
  });
}

/** Every attribute that an item of the entity can have. */
const attributesOf = (item: Item) => entities.find(({ name }) => name === item.entity)?.attributes ?? [];
