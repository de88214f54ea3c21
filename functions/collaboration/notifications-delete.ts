import * as z from "zod/mini";
import { requireOrganization } from "../../lib/content/require-organization.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, done } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { deleteNotifications } from "../../lib/notifications/delete-notifications.ts";
import { ItemResult } from "../../lib/schema/item-result.ts";
import { NotificationId } from "../../lib/schema/notifications.ts";
import { distinct, Id, listOf } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/access/user.ts";
import * as Notification from "../../lib/store/notifications/notification.ts";

export const notificationsDelete = endpoint({
  name: "notifications-delete",
  path: "/v2/notifications/delete",
  group: "collaboration",
  summary: "Delete notifications",
  description:
    "Delete notifications from a user's inbox. Other users keep them. One that the user does not have is no error.",
  grants: ["table:read", "table:write", "table:batch"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: Id, userId: Id, notificationIds: listOf(NotificationId) }),
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
    const user = { ...ref, generation: User.generationOf(stored) };
    const deleted = await deleteNotifications(user, ids, pointers);
    return byId(
      ids.map((id) => [id, done(id, deleted.has(id) ? "Notification deleted." : "The user has no such notification.")]),
    );
  },
});
export const handler = lambda(notificationsDelete);
