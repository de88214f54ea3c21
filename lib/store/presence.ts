// Who is on a document now. An entry ends by itself; readers go by its time, and the table removes it later.

import type { Position } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { dataKeys } from "./data-keys.ts";
import type { Key } from "./keys.ts";

export interface Presence {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
  /** As JSON text: exact whatever its keys and numbers are. */
  metadata?: string | undefined;
  updatedAt: string;
  /** Unix seconds: the entry's end. */
  ttl: number;
}

/** Pages of ended entries that one call reads past. */
const readsMax = 10;

const isLive = (entry: Presence | undefined) => entry !== undefined && Date.now() < entry.ttl * 1_000;

export function writeOf(workspace: string, uid: string, presence: Presence): Write {
  return { put: { ...dataKeys.presence(workspace, uid, presence.userId), ...presence } };
}

export const keyOf = (workspace: string, uid: string, userId: string): Key => dataKeys.presence(workspace, uid, userId);

/** Those of the users who are there. `uid` is the document's. */
export async function presentAmong(workspace: string, uid: string, userIds: readonly string[]): Promise<Set<string>> {
  const found = await Table.getMany<Presence>(userIds.map((userId) => keyOf(workspace, uid, userId)));
  return new Set(userIds.filter((_, index) => isLive(found[index])));
}

/** One page, in the order of the keys. It can be short where many entries have ended. */
export async function page(
  workspace: string,
  uid: string,
  limit: number,
  from?: Position,
): Promise<{ items: Presence[]; next?: Position }> {
  const { pk, sk: beginsWith } = dataKeys.presence(workspace, uid, "");
  const items: (Presence & Key)[] = [];
  let after = from?.after;
  for (let reads = 0; reads < readsMax; reads++) {
    const range = { pk, beginsWith, limit: limit + 1, ...(after !== undefined && { after }) };
    const read = await Table.query<Presence & Key>(range);
    for (const item of read.items.filter(isLive)) {
      const last = items.at(-1);
      if (last && items.length === limit) return { items, next: { shard: 0, after: last.sk } };
      items.push(item);
    }
    after = read.next;
    if (after === undefined) return { items };
  }
  return { items, next: { shard: 0, after: after as string } };
}
