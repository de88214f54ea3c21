import * as z from "zod/mini";
import { requireOrganization } from "../../lib/content/require-organization.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { listNotifications } from "../../lib/notifications/list.ts";
import { VisibleNotification } from "../../lib/schema/notifications.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { Id } from "../../lib/schema/primitives.ts";
import { countedMax } from "../../lib/store/notifications/inbox.ts";

export const notificationsGet = endpoint({
  name: "notifications-get",
  path: "/v2/notifications/get",
  group: "collaboration",
  summary: "List notifications",
  description: "List a user's notifications, newest first, with the number of unread ones.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: Id,
    userId: Id,
    ...pageRequest,
  }),
  example: { organizationId: "acme", userId: "bob", pageSize: 20 },
  reply: z.object({
    notifications: z.array(z.extend(VisibleNotification, { isRead: z.boolean() })),
    unreadCount: z.number().check(z.describe(`Number of unread notifications among the newest ${countedMax}.`)),
    unreadIsMore: z.boolean().check(z.describe("Whether older notifications can be unread too.")),
    ...pageReply,
  }),
  message: "Notifications retrieved.",

  async handle({ data, caller }) {
    const { organizationId, userId } = data;
    const user = { workspace: caller.workspace, organizationId, userId };
    const list = listing(caller, ["notifications", organizationId, userId], data);
    const [{ next, ...page }] = await Promise.all([
      listNotifications(user, list.size, list.from),
      requireOrganization(user),
    ]);
    return { ...page, nextPageToken: list.tokenFor(next) };
  },
});
export const handler = readLambda(notificationsGet);
