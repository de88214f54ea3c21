// The recipients of a notification. A list of users is written before the users' entries, so a purge of the document
// finds every entry.
import { hash } from "node:crypto";
import { chunks } from "../../concurrency.ts";
import { deleteAll, putAll } from "../../dynamodb/batch-write.ts";
import { entity } from "../../dynamodb/entity.ts";
import { type Key, segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import { type Descendants, type DocumentDataRef, documentDataPartition, type WorkspaceRef } from "../refs.ts";
import { deleteAgain, withoutDeleted } from "./deleted-notification.ts";
import { inboxEntryEntity, type NotificationPointer, readMarkEntity } from "./inbox.ts";

/** A user who gets a notification, and the user's generation. */
export interface Recipient {
  userId: string;
  generation: number;
}

/** All users of the list have the same generation; absent: the first. */
type RecipientList = Omit<NotificationPointer, "documentUid"> & { userIds: string[]; generation?: number };

export const recipientListEntity = entity<RecipientList>()({
  name: "recipient-list",
  attributes: ["organizationId", "notificationId", "at", "userIds", "generation", "ttl"],
  pk: ({ notificationId, ...ref }: DocumentDataRef & { notificationId: string }) =>
    `${documentDataPartition(ref)}#N#${segment(notificationId)}`,
  sk: ({ listHash }: { listHash: string }) => listHash,
});

/** The entry and the read mark of each user. */
export function recipientListDescendants({ userIds, ...list }: RecipientList & WorkspaceRef): Descendants {
  const keysOf = (userId: string) => [inboxEntryEntity, readMarkEntity].map((each) => each.key({ ...list, userId }));
  return { items: userIds.flatMap(keysOf) };
}

/** Most users in one list, and most bytes: an item has at most 400 KB. */
const listUsersMax = 1_000;
const listBytesMax = 300_000;
/** Users in a list when the ids are long: 250 ids of 256 four-byte characters fit. */
const longIdsMax = 250;

/**
 * Adds the notification to the inboxes of the users who have not deleted it. Idempotent. `characters`: the length of the
 * stored content.
 */
export async function add(
  { workspace, ...pointer }: NotificationPointer & WorkspaceRef,
  characters: number,
  users: readonly Recipient[],
): Promise<void> {
  const ref = { ...pointer, workspace };
  const recipients = await withoutDeleted(ref, users);
  const byGeneration = Map.groupBy(recipients, ({ generation }) => generation);
  const lists = [...byGeneration].flatMap(([generation, users]) =>
    listsOf(users.map(({ userId }) => userId)).map((userIds) => {
      // The key is a hash of the users. So another list never replaces this one, and this one never replaces a list of
      // an ended notification with the same id.
      const named = { at: pointer.at, generation, userIds };
      const listHash = hash("sha256", JSON.stringify(named), "base64url");
      return recipientListEntity.put(
        { ...ref, listHash },
        { ...pointer, userIds, ...(generation > 0 && { generation }) },
      );
    }),
  );
  await putAll(lists);
  await putAll(
    recipients.map(({ userId, generation }) =>
      inboxEntryEntity.put({ ...ref, userId, generation }, { ...pointer, userId, characters }),
    ),
  );
  await deleteAgain(ref, recipients);
}

/** Removes the notification from all inboxes. Returns false when it stopped at `until` (ms since the epoch). */
export async function removeAll(ref: NotificationPointer & WorkspaceRef, until: number): Promise<boolean> {
  for await (const lists of Table.all<RecipientList & Key>(recipientListEntity.range(ref))) {
    for (const list of lists) {
      await deleteAll(recipientListDescendants({ ...ref, ...list }).items ?? []);
      await deleteAll([list]);
      if (Date.now() > until) return false;
    }
  }
  return true;
}

function listsOf(userIds: readonly string[]): string[][] {
  return chunks(userIds, listUsersMax).flatMap((ids) =>
    Buffer.byteLength(JSON.stringify(ids)) <= listBytesMax ? [ids] : chunks(ids, longIdsMax),
  );
}
