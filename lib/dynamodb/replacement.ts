// Replaces an item by what a migration made of it, if nobody has changed it since it was read.
import { isDeepStrictEqual } from "node:util";
import { type Item, keyName } from "./key.ts";
import type { Write } from "./write.ts";

/**
 * The writes that replace `item` by `by`. An item with the same key is changed in place: attributes that a concurrent
 * call adds remain. Without one, the item is deleted. Other items must be absent. `attributes`: every attribute that the
 * item can have, since a condition cannot say "and no others".
 */
export function replacement(item: Item, by: readonly Item[], attributes: readonly string[]): Write[] {
  const { pk, sk, ...read } = item;
  const isSame = (other: Item) => keyName(other) === keyName(item);
  const { pk: _pk, sk: _sk, ...now } = by.find(isSame) ?? item;
  const names = new Set([...attributes, ...Object.keys(read), ...Object.keys(now)]);
  const asRead = Object.fromEntries([...names].map((name) => [name, read[name]]));
  const set = Object.fromEntries(Object.entries(now).filter(([name, value]) => !isDeepStrictEqual(value, read[name])));
  const remove = Object.keys(read).filter((name) => now[name] === undefined);
  const puts = by.filter((other) => !isSame(other)).map((put): Write => ({ put, if: "absent" }));
  return [
    by.some(isSame) ? { update: { pk, sk }, set, remove, if: asRead } : { delete: { pk, sk }, if: asRead },
    ...puts,
  ];
}
