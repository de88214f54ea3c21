// What each user has of one kind under a document. All of it is read by pages once, unless it is too much to keep: then
// it is looked up for the users asked about.
import type { Key } from "../store/keys.ts";
import * as Table from "./table.ts";

/** Characters kept in memory: some 40,000 small items. */
const keptMax = 6_000_000;

interface Source<T, Kept> {
  /** For "", where the items of all users begin. */
  keyOf(userId: string): Key;
  /** The part of an item that matters; undefined: none of it. */
  keep(item: T): Kept | undefined;
  charactersMax?: number;
}

/** Answers what the given users have, in their order. */
export async function perUser<T extends { userId: string }, Kept>({
  keyOf,
  keep,
  charactersMax = keptMax,
}: Source<T, Kept>): Promise<(userIds: readonly string[]) => Promise<(Kept | undefined)[]>> {
  const kept = new Map<string, Kept>();
  const { pk, sk: beginsWith } = keyOf("");
  let characters = 0;
  for await (const items of Table.all<T>({ pk, beginsWith })) {
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
