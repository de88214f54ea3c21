import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { fillPage } from "../../lib/dynamodb/page.ts";
import { inRange } from "../../lib/dynamodb/sources.ts";
import { newLiveness } from "../../lib/features/liveness.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { visibleTo } from "../../lib/notifications/visible.ts";
import { hasEnded } from "../../lib/retention.ts";
import { OrganizationId, UserId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { VisibleNotification } from "../../lib/schema/notifications.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import * as User from "../../lib/store/access/user.ts";
import type { Owner } from "../../lib/store/content/owner.ts";
import * as Inbox from "../../lib/store/notifications/inbox.ts";
import { countedMax } from "../../lib/store/notifications/inbox.ts";
import * as Notification from "../../lib/store/notifications/notification.ts";
import type { UserLifeRef, UserRef } from "../../lib/store/refs.ts";

export const notificationsGet = endpoint({
  name: "notifications-get",
  path: "/v2/notifications/get",
  summary: "List notifications",
  description: "List a user's notifications, newest first, with the number of unread ones.",
  users: "view",
  grants: ["table:read"],
  data: z.object({
    organizationId: OrganizationId,
    userId: actor(UserId),
    ...pageRequest,
  }),
  example: { organizationId: "acme", userId: "bob", pageSize: 20 },
  reply: z.object({
    notifications: z
      .array(z.extend(VisibleNotification, { isRead: z.boolean().check(z.describe("Whether the user has read it.")) }))
      .check(z.describe("The notifications of this page, the newest first.")),
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
export const handler = readLambda(notificationsGet, forUsers);

/** The documents that entries name, in their order; undefined: deleted, or the entry has ended. */
type DocumentsOf = (entries: readonly Inbox.InboxEntry[]) => Promise<(Owner | undefined)[]>;

/** One page. Ended notifications, and notifications of deleted documents, are omitted, also while they are stored. */
async function listNotifications(userRef: UserRef, limit: number, from?: string) {
  const user = await User.get(userRef);
  const ref = { ...userRef, generation: User.generationOf(user) };
  const live = newLiveness(ref);
  const documentsOf: DocumentsOf = (entries) =>
    Promise.all(entries.map((entry) => (hasEnded(entry) ? undefined : live.document(entry))));
  const reader = { userId: ref.userId, name: user?.name };
  const list = {
    read: inRange<Inbox.InboxEntry>(Inbox.newestFirst(ref)),
    canShow: async (entries: Inbox.InboxEntry[]) => (await documentsOf(entries)).map((each) => each !== undefined),
    expectedSizeOf: ({ characters }: Inbox.InboxEntry) => characters,
    async show(entries: Inbox.InboxEntry[]) {
      const [documents, contents, read] = await Promise.all([
        documentsOf(entries),
        Notification.contentsOf(ref, entries),
        Inbox.marked(ref, entries),
      ]);
      return entries.map(({ notificationId, organizationId, at }, index) => {
        const [document, text] = [documents[index], contents[index]];
        if (document === undefined || text === undefined) return undefined;
        return {
          notificationId,
          organizationId,
          documentId: document.documentId,
          createdAt: at,
          isRead: read.has(notificationId),
          ...visibleTo(reader, JSON.parse(text)),
        };
      });
    },
  };
  const [{ items, next }, { upTo, count, isMore }] = await Promise.all([
    fillPage(list, { limit, from }),
    unreadOf(ref, documentsOf),
  ]);
  const notifications = items.map((each) => ({ ...each, isRead: each.isRead || each.createdAt <= upTo }));
  return { notifications, unreadCount: count, unreadIsMore: isMore, next };
}

async function unreadOf(ref: UserLifeRef, documentsOf: DocumentsOf) {
  const upTo = await Inbox.readUpTo(ref);
  const { entries, isMore } = await Inbox.unread(ref, upTo);
  const documents = await documentsOf(entries);
  return { upTo, isMore, count: documents.filter((document) => document !== undefined).length };
}
