// Per-item results of bulk calls.
import type { ItemResult } from "../schema/access.ts";

export const done = (id: string, message: string): ItemResult => ({ success: true, id, message });

export const failed = (id: string, code: string, message: string): ItemResult => ({
  success: false,
  id,
  message,
  code,
});

/** An object with own properties only, whatever the ids are ("__proto__" among them). */
export function byId<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(entries);
}

/** One item per id: of entries that repeat an id, the first. */
export function distinctBy<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  const seen = new Map<string, T>();
  for (const item of items) if (!seen.has(idOf(item))) seen.set(idOf(item), item);
  return [...seen.values()];
}
