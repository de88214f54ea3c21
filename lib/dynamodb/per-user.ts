// What each user has of one kind under a document. All of it is read once, page by page. Where it is too much to keep
// in memory, it is read for the users asked about.
import type { Key } from "./key.ts";
import * as Table from "./table.ts";

/** Characters kept in memory: about 40,000 small items. */
const keptMax = 6_000_000;

interface Source<T, Kept> {
  /** The items of all users. */
  range: { pk: string; beginsWith?: string };
  /** One user's item. */
  keyOf(userId: string): Key;
  /** The part of an item to keep; undefined: none. */
  keep(item: T): Kept | undefined;
  charactersMax?: number;
}

/** Returns a function that says what the given users have, in their order. */
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
