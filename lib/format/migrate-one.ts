import { type Item, keyName } from "../dynamodb/key.ts";
import { replacement } from "../dynamodb/replacement.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import { entities } from "../store/entities.ts";
import { type ItemMigration, migrated } from "./migrated.ts";

/**
 * Migrates one item, as it is when it is written: an item that a call changed since it was read is read again. Returns
 * whether it changed.
 */
export async function migrateItem(read: Item, migrations: readonly ItemMigration[]): Promise<boolean> {
  return retryOnConflict("item", async (attempt) => {
    const item = attempt === 0 ? read : await Table.get<Item>({ pk: read.pk, sk: read.sk });
    const results = item && migrated(item, migrations);
    if (!results) return false;
    const own = keyName(item);
    const others = results.filter((each) => keyName(each) !== own);
    // A running call has written the item under its new key already. Its item is the newer one.
    const found = await Table.getMany<Item>(others.map(({ pk, sk }) => ({ pk, sk })));
    const existing = new Set(found.flatMap((each) => (each ? [keyName(each)] : [])));
    const by = results.filter((each) => !existing.has(keyName(each)));
    return (await commit(replacement(item, by, attributesOf(item)))) ? true : conflict;
  });
}

/** Every attribute that an item of the entity can have. */
const attributesOf = (item: Item) => entities.find(({ name }) => name === item.entity)?.attributes ?? [];
