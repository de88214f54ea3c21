import * as z from "zod/mini";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, done, failed } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { ItemResult } from "../../lib/schema/access.ts";
import { NotificationId } from "../../lib/schema/notifications.ts";
import { distinct, Id, listOf, optional } from "../../lib/schema/primitives.ts";
import * as Inbox from "../../lib/store/inbox.ts";
import * as Notification from "../../lib/store/notification.ts";
import * as Organization from "../../lib/store/organization.ts";
import * as Owner from "../../lib/store/owner.ts";

export const notificationsRead = endpoint({
  name: "notifications-read",
  path: "/v2/notifications/read",
  group: "collaboration",
  summary: "Mark notifications of a user as read: those given, or all that were added until now.",
  grants: ["table:read", "table:write", "table:batch"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: Id, userId: Id, notificationIds: optional(listOf(NotificationId)) }),
  example: { organizationId: "acme", userId: "alice" },
  reply: z.record(z.string(), ItemResult).check(z.describe("By the notification ids given; without any, empty.")),
  timeoutSeconds: 25,
  message: "Notifications marked as read.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, userId } = data;
    const ids = distinct(data.notificationIds ?? []);
    const [places] = await Promise.all([
      Notification.placesOf(workspace, organizationId, ids),
      Organization.mustExist(workspace, organizationId),
    ]);
    if (!data.notificationIds) {
      await Inbox.markAllRead(workspace, organizationId, userId, new Date().toISOString());
      return {};
    }
    const existing = places.filter((place) => place !== undefined);
    const [entries, documents] = await Promise.all([
      Inbox.entriesOf(workspace, userId, existing),
      Owner.documentsOf(
        workspace,
        existing.map(({ uid }) => uid),
      ),
    ]);
    const owned = entries.filter((entry) => entry !== undefined && documents.has(entry.uid)) as Notification.Entry[];
    await Inbox.markRead(workspace, owned);
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
