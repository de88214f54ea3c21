// Results of the items of a bulk call (DECISIONS.md#item-results).
import type { ItemResult } from "../schema/access.ts";

export const done = (id: string, message: string): ItemResult => ({ success: true, id, message });

export const failed = (id: string, code: string, message: string): ItemResult => ({
  success: false,
  id,
  message,
  code,
});

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
