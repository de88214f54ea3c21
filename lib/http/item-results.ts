// Results of the items of a bulk call (DECISIONS.md#item-results).
import type { ItemResult } from "../schema/access.ts";

export const done = (id: string, message: string): ItemResult => ({ success: true, id, message });

export const failed = (id: string, code: string, message: string): ItemResult => ({
  success: false,
  id,
  message,
  code,
});

/** An object with an own property for each id, also for "__proto__". */
export function byId<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(entries);
}

/** One item an id: the first of those that repeat it. */
export function distinctBy<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  const seen = new Map<string, T>();
  for (const item of items) if (!seen.has(idOf(item))) seen.set(idOf(item), item);
  return [...seen.values()];
}
