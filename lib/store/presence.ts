// The users who are on a document now. An entry ends at its time: readers compare the time, and DynamoDB deletes the
// entry later.
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import { fillPage, type Page } from "../dynamodb/page.ts";
import { itemsOf } from "../dynamodb/sources.ts";
import * as Table from "../dynamodb/table.ts";
import { anyValue, atMost, type Write } from "../dynamodb/write.ts";
import * as User from "./access/user.ts";
import { type DocumentDataRef, documentDataPartition, type OrganizationRef } from "./refs.ts";

export interface Presence {
  userId: string;
  /** The user's generation; absent: the first. An entry of an earlier generation counts as absent. */
  generation?: number | undefined;
  name?: string | undefined;
  email?: string | undefined;
  /** As JSON: DynamoDB limits the precision of numbers, and the SDK stores no map with a key `constructor`. */
  metadata?: string | undefined;
  updatedAt: string;
  /** The entry's end, Unix seconds. */
  ttl: number;
}

export const presenceEntity = entity<Presence>()({
  name: "presence",
  attributes: ["userId", "generation", "name", "email", "metadata", "updatedAt", "ttl"],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "PRESENCE#",
  sk: ({ userId }: { userId: string }) => segment(userId),
});

const isUnended = (entry: Presence | undefined): entry is Presence =>
  entry !== undefined && Date.now() < entry.ttl * 1_000;

/** The entries that have not ended and belong to their users' generation. */
async function live<T extends Presence>(organization: OrganizationRef, entries: readonly (T | undefined)[]) {
  const unended = entries.filter(isUnended) as T[];
  const users = await User.getMany(
    organization,
    unended.map(({ userId }) => userId),
  );
  return unended.filter(({ generation = 0 }, index) => generation === User.generationOf(users[index]));
}

type PresenceRef = DocumentDataRef & OrganizationRef;

/** The users among `userIds` who are on the document. */
export async function presentAmong(document: PresenceRef, userIds: readonly string[]): Promise<Set<string>> {
  const found = await Table.getMany<Presence>(userIds.map((userId) => presenceEntity.key({ ...document, userId })));
  return new Set((await live(document, found)).map(({ userId }) => userId));
}

/**
 * The write that adds or renews a presence. Its condition fails when the stored entry belongs to a later generation of
 * the user. `isRenewal`: the condition also fails when there is no entry.
 */
export function entering(document: DocumentDataRef, presence: Presence, isRenewal: boolean): Write {
  const condition = { generation: atMost(presence.generation ?? 0), ...(isRenewal && { userId: anyValue }) };
  return presenceEntity.put({ ...document, userId: presence.userId }, presence, condition);
}

/** One page, in the order of the keys. */
export async function page(document: PresenceRef, limit: number, from?: string): Promise<Page<Presence>> {
  const list = {
    read: itemsOf(presenceEntity, document),
    async show(entries: Presence[]) {
      const present = new Set(await live(document, entries));
      return entries.map((entry) => (present.has(entry) ? entry : undefined));
    },
  };
  return fillPage(list, { limit, from });
}
