// Notifications that users have deleted from their inboxes. The marks of a notification are one list, so a step of a
// fan-out (DECISIONS.md#notification-fan-out) reads them with one query. The step reads them before it writes entries,
// and again after it. A deletion writes its mark before it deletes the entry. So one of the two always sees what the
// other wrote.
import { deleteAll, putAll } from "../../dynamodb/batch-write.ts";
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import {
  type DocumentDataRef,
  documentDataPartition,
  type UserLifeRef,
  userLifeSegments,
  type WorkspaceRef,
} from "../refs.ts";
import { inboxEntryEntity, type NotificationPointer, readMarkEntity } from "./inbox.ts";

/** A user in one life. */
export type Life = Pick<UserLifeRef, "userId" | "generation">;

type Mark = Life & Pick<NotificationPointer, "ttl">;

export const deletedNotificationEntity = entity<Mark>()({
  name: "deleted-notification",
  attributes: ["userId", "generation", "ttl"],
  pk: ({ notificationId, ...ref }: DocumentDataRef & { notificationId: string }) =>
    `${documentDataPartition(ref)}#ND#${segment(notificationId)}`,
  sk: (life: Life) => userLifeSegments(life),
});

/** Deletes notifications from the user's inbox. The mark is written first, so that a fan-out sees it. */
export async function deleteFor(user: UserLifeRef, notifications: readonly NotificationPointer[]): Promise<void> {
  const { userId, generation } = user;
  await putAll(
    notifications.map((each) =>
      deletedNotificationEntity.put({ ...each, ...user }, { userId, generation, ttl: each.ttl }),
    ),
  );
  await deleteEntries(user, notifications);
}

/** The users who have not deleted the notification. */
export async function withoutDeleted<L extends Life>(
  ref: NotificationPointer & WorkspaceRef,
  users: readonly L[],
): Promise<L[]> {
  const deleted = await lives(ref);
  return deleted.size === 0 ? [...users] : users.filter((user) => !deleted.has(userLifeSegments(user)));
}

/** Deletes the entries of users who deleted the notification while the entries were written. */
export async function deleteAgain(ref: NotificationPointer & WorkspaceRef, users: readonly Life[]): Promise<void> {
  const deleted = await lives(ref);
  for (const { userId, generation } of users.filter((user) => deleted.has(userLifeSegments(user)))) {
    await deleteEntries({ ...ref, userId, generation }, [ref]);
  }
}

/** The read marks are deleted first: without the entry, a repeat would not find them. */
async function deleteEntries(user: UserLifeRef, notifications: readonly NotificationPointer[]): Promise<void> {
  for (const entity of [readMarkEntity, inboxEntryEntity]) {
    await deleteAll(notifications.map(({ at, notificationId }) => entity.key({ ...user, at, notificationId })));
  }
}

async function lives(ref: NotificationPointer & WorkspaceRef): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const page of Table.all<Mark>(deletedNotificationEntity.range(ref))) {
    // An ended notification of the same id can have left marks. Its end was at another time.
    const own = page.filter(({ ttl }) => ttl === undefined || ttl === ref.ttl);
    for (const life of own) found.add(userLifeSegments(life));
  }
  return found;
}
