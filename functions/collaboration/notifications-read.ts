import * as z from "zod/mini";
import { requireOrganization } from "../../lib/content/require-organization.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, done, failed } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { markAllRead } from "../../lib/notifications/mark-all-read.ts";
import { ownedEntries } from "../../lib/notifications/owned-entries.ts";
import { ItemResult } from "../../lib/schema/item-result.ts";
import { NotificationId } from "../../lib/schema/notifications.ts";
import { distinct, Id, listOf, optional } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/access/user.ts";
import * as Inbox from "../../lib/store/notifications/inbox.ts";
import * as Notification from "../../lib/store/notifications/notification.ts";

export const notificationsRead = endpoint({
  name: "notifications-read",
  path: "/v2/notifications/read",
  group: "collaboration",
  summary: "Mark notifications as read",
  description: "Mark notifications of a user as read: the given ones, or all that the user has now.",
  grants: ["table:read", "table:write", "table:batch"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: Id, userId: Id, notificationIds: optional(listOf(NotificationId)) }),
  example: { organizationId: "acme", userId: "bob" },
  reply: z
    .record(z.string(), ItemResult)
    .check(z.describe("Keyed by notification id. Empty when the request has no ids.")),
  timeoutSeconds: 25,
  message: "Notifications marked as read.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, userId } = data;
    const ref = { workspace, organizationId, userId };
    const ids = distinct(data.notificationIds ?? []);
    const [pointers, stored] = await Promise.all([
      Notification.pointers(ref, ids),
      User.get(ref),
      requireOrganization(ref),
    ]);
    const user = { ...ref, generation: User.generationOf(stored) };
    if (!data.notificationIds) {
      await markAllRead(user, stored !== undefined);
      return {};
    }
    const owned = await ownedEntries(user, pointers);
    await Inbox.markRead(user, owned);
    const read = new Set(owned.map(({ notificationId }) => notificationId));
    return byId(
      ids.map((id) => [
        id,
        read.has(id) ? done(id, "Marked as read.") : failed(id, "not-found", "The user has no such notification."),
      ]),
    );
  },
});
export const handler = lambda(notificationsRead);
