import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import * as Table from "../../lib/dynamodb/table.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { tellUsers } from "../../lib/live/announce.ts";
import { ownedEntries } from "../../lib/notifications/visible.ts";
import { hasEnded } from "../../lib/retention.ts";
import { OrganizationId, UserId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { byId, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { NotificationId } from "../../lib/schema/notifications.ts";
import { distinct, listOf, optional } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/access/user.ts";
import * as Inbox from "../../lib/store/notifications/inbox.ts";
import * as Notification from "../../lib/store/notifications/notification.ts";
import type { UserLifeRef } from "../../lib/store/refs.ts";

export const notificationsRead = endpoint({
  name: "notifications-read",
  path: "/v2/notifications/read",
  summary: "Mark notifications as read",
  description: "Mark notifications of a user as read: the given ones, or all that the user has now.",
  users: "view",
  grants: ["table:read", "table:write", "table:batch", "live:publish"],
  data: z.object({
    organizationId: OrganizationId,
    userId: actor(UserId),
    notificationIds: optional(listOf(NotificationId)).check(
      z.describe("The notifications to mark. Absent: all that the user has now."),
    ),
  }),
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
    const user = { ...ref, generation: User.generationOf(stored), listenedUntil: stored?.listenedUntil };
    if (!data.notificationIds) {
      await markAllRead(user, stored !== undefined);
      await tellUsers(ref, [user], []);
      return {};
    }
    const owned = await ownedEntries(user, pointers);
    await Inbox.markRead(user, owned);
    await tellUsers(ref, [user], ids);
    const read = new Set(owned.map(({ notificationId }) => notificationId));
    return byId(
      ids.map((id) => [
        id,
        read.has(id) ? done(id, "Marked as read.") : failed(id, "not-found", "The user has no such notification."),
      ]),
    );
  },
});
export const handler = lambda(notificationsRead, forUsers);

/** A notification can arrive this long after it was added: the fan-out takes seconds, its retries take minutes. */
const lateMs = 15 * 60_000;
/** Most recent notifications that get a mark each. */
const recentMax = 1_000;
const pageSize = 100;

/**
 * Marks the notifications that the user has now. A notification that arrives later stays unread, also if it was added
 * before. A newer notification can arrive before an older one, so no single time says which recent notifications the
 * user has. Each recent notification gets a mark. One time stands for all older ones. `isStored`: the user has an item.
 * Without an item, the newest 1,000 notifications get a mark each: the deletion of the organization finds these marks
 * by their notifications.
 */
async function markAllRead(user: UserLifeRef, isStored: boolean): Promise<void> {
  const since = new Date(Date.now() - lateMs).toISOString();
  const recent: Inbox.InboxEntry[] = [];
  let settled: Inbox.InboxEntry | undefined;
  for await (const entries of Table.all<Inbox.InboxEntry>({ ...Inbox.newestFirst(user), limit: pageSize })) {
    const present = entries.filter((entry) => !hasEnded(entry));
    const newer = isStored ? present.filter(({ at }) => at > since) : present;
    recent.push(...newer);
    settled = present[newer.length];
    if (recent.length >= recentMax) settled ??= recent.at(-1);
    if (settled) break;
  }
  await Inbox.markRead(user, recent);
  if (settled && isStored) await Inbox.markReadUpTo(user, settled.at);
}
