// Results of the items of a bulk call.
import type { ItemCode, ItemResult } from "../schema/item-result.ts";

export const done = (id: string, message: string) => ({ success: true, id, message }) satisfies ItemResult;

export const failed = (id: string, code: ItemCode, message: string) =>
  ({ success: false, id, message, code }) satisfies ItemResult;

/** An object with an own property for each id. An assignment would not create one for "__proto__". */
export function byId<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(entries);
}

/** The first item of each id. */
export function distinctBy<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  const seen = new Map<string, T>();
  for (const item of items) if (!seen.has(idOf(item))) seen.set(idOf(item), item);
  return [...seen.values()];
}
