// Replaces an item by what a migration made of it, if nobody has changed it since it was read.
import { isDeepStrictEqual } from "node:util";
import { type Item, keyName } from "./key.ts";
import type { Condition, Write } from "./write.ts";

/**
 * The writes that replace `item` by `by`. An item with the same key is changed in place: attributes that a concurrent
 * call adds remain. Without one, the item is deleted. An item with another key replaces the one of `present`, as read,
 * or must be absent. `attributesOf`: every attribute that an item can have, since a condition cannot say "and no
 * others". `present` has the names of the keys.
 */
export function replacement(
  item: Item,
  by: readonly Item[],
  attributesOf: (item: Item) => readonly string[],
  present: ReadonlyMap<string, Item> = new Map(),
): Write[] {
  const { pk, sk, ...read } = item;
  const isSame = (other: Item) => keyName(other) === keyName(item);
  const own = by.find(isSame);
  const { pk: _pk, sk: _sk, ...now } = own ?? item;
  const asRead = asReadBefore(item, own ?? item, attributesOf);
  const set = Object.fromEntries(Object.entries(now).filter(([name, value]) => !isDeepStrictEqual(value, read[name])));
  const remove = Object.keys(read).filter((name) => now[name] === undefined);
  const puts = by
    .filter((other) => !isSame(other))
    .map((put): Write => {
      const there = present.get(keyName(put));
      return { put, if: there ? asReadBefore(there, put, attributesOf) : "absent" };
    });
  return [own ? { update: { pk, sk }, set, remove, if: asRead } : { delete: { pk, sk }, if: asRead }, ...puts];
}

/** The item is still as read. `now`: what replaces it. */
function asReadBefore(item: Item, now: Item, attributesOf: (item: Item) => readonly string[]): Condition {
  const names = new Set([...attributesOf(item), ...Object.keys(item), ...Object.keys(now)]);
  for (const name of ["pk", "sk"]) names.delete(name);
  return Object.fromEntries([...names].map((name) => [name, item[name]]));
}
