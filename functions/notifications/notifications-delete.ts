import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { notedSteps } from "../../lib/call.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { noteSteps } from "../../lib/dynamodb/write-each.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { tellUsers } from "../../lib/live/announce.ts";
import { ownedEntries } from "../../lib/notifications/visible.ts";
import { OrganizationId, UserId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { byId, done, ItemResult } from "../../lib/schema/item-result.ts";
import { NotificationId } from "../../lib/schema/notifications.ts";
import { distinct, listOf } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/access/user.ts";
import { deleteFor } from "../../lib/store/notifications/deleted-notification.ts";
import type { NotificationPointer } from "../../lib/store/notifications/inbox.ts";
import * as Notification from "../../lib/store/notifications/notification.ts";
import type { UserLifeRef } from "../../lib/store/refs.ts";

export const notificationsDelete = endpoint({
  name: "notifications-delete",
  path: "/v2/notifications/delete",
  summary: "Delete notifications",
  description:
    "Delete notifications from a user's inbox. Other users keep them. A notification that the user does not have is no error.",
  users: "view",
  grants: ["table:read", "table:write", "table:batch", "live:publish"],
  data: z.object({
    organizationId: OrganizationId,
    userId: actor(UserId),
    notificationIds: listOf(NotificationId).check(z.describe("The notifications to delete from the user's inbox.")),
  }),
  example: { organizationId: "acme", userId: "bob", notificationIds: ["n-1"] },
  reply: z.record(z.string(), ItemResult).check(z.describe("Keyed by notification id.")),
  timeoutSeconds: 25,
  message: "Notifications deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, userId } = data;
    const ref = { workspace, organizationId, userId };
    const ids = distinct(data.notificationIds);
    const [pointers, stored] = await Promise.all([
      Notification.pointers(ref, ids),
      User.get(ref),
      requireOrganization(ref),
    ]);
    const user = { ...ref, generation: User.generationOf(stored), listenedUntil: stored?.listenedUntil };
    const deleted = await deleteNotifications(user, ids, pointers);
    await tellUsers(ref, [user], ids);
    return byId(
      ids.map((id) => [id, done(id, deleted.has(id) ? "Notification deleted." : "The user has no such notification.")]),
    );
  },
});
export const handler = lambda(notificationsDelete, forUsers);

const stepName = "found";

/**
 * Deletes notifications from a user's inbox (DECISIONS.md#repeated-calls). Returns the ids of the notifications that
 * the user had. `pointers`: the pointers of these ids, in their order.
 */
async function deleteNotifications(
  user: UserLifeRef,
  ids: readonly string[],
  pointers: readonly (NotificationPointer | undefined)[],
): Promise<Set<string>> {
  const noted = (await notedSteps()).get(stepName);
  // A repeated call deletes the notifications that the first attempt has found. By now, another notification can have
  // the id.
  const found = noted === undefined ? pointers : unpacked(noted);
  const owned = await ownedEntries(user, found);
  if (noted === undefined && owned.length > 0) await noteSteps({ [stepName]: packed(owned) });
  await deleteFor(user, owned);
  const deleted = noted === undefined ? owned : unpacked(noted);
  return new Set(deleted.map(({ notificationId }) => notificationId));

  /** Without the ids, which can be long: the request has them. */
  function packed(entries: readonly NotificationPointer[]): string {
    const indexOf = new Map(ids.map((id, index) => [id, index]));
    return JSON.stringify(entries.map(({ documentUid, at, notificationId: id }) => [indexOf.get(id), documentUid, at]));
  }

  function unpacked(text: string): NotificationPointer[] {
    const entries = JSON.parse(text) as [number, NotificationPointer["documentUid"], string][];
    const { organizationId } = user;
    return entries.map(([index, documentUid, at]) => {
      return { organizationId, documentUid, at, notificationId: ids[index] as string };
    });
  }
}
