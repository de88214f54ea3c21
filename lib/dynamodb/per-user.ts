// Looks up one kind of item of many users under a document. It reads all the items once and keeps them. When they are
// too large to keep, each lookup reads the items of its own users instead.
import type { Key } from "./key.ts";
import * as Table from "./table.ts";

/** The most characters to keep in memory: about 40,000 small items. */
const keptMax = 6_000_000;

interface Source<T, Kept> {
  /** The items of all users. */
  range: { pk: string; beginsWith?: string };
  /** One user's item. */
  keyOf(userId: string): Key;
  /** Returns the part of an item to keep; undefined to ignore the item. */
  keep(item: T): Kept | undefined;
  charactersMax?: number;
}

/** Returns the lookup: a function from users to the kept part of each user's item, in the users' order. */
export async function perUser<T extends { userId: string }, Kept>({
  range,
  keyOf,
  keep,
  charactersMax = keptMax,
}: Source<T, Kept>): Promise<(userIds: readonly string[]) => Promise<(Kept | undefined)[]>> {
  const kept = new Map<string, Kept>();
  let characters = 0;
  for await (const items of Table.all<T>(range)) {
    for (const item of items) {
      const part = keep(item);
      if (part === undefined) continue;
      kept.set(item.userId, part);
      characters += item.userId.length + JSON.stringify(part).length;
    }
    if (characters > charactersMax) {
      return async (userIds) => {
        const found = await Table.getMany<T>(userIds.map(keyOf));
        return found.map((item) => item && keep(item));
      };
    }
  }
  return async (userIds) => userIds.map((userId) => kept.get(userId));
}
