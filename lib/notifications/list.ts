// A page of a user's notifications, newest first. Those of deleted documents are left out, whether or not they are
// purged: a page can be short although more follow.

import { charactersMax, fitting } from "../dynamodb/sharded-page.ts";
import * as Inbox from "../store/inbox.ts";
import * as Notification from "../store/notification.ts";
import * as Owner from "../store/owner.ts";
import * as User from "../store/user.ts";
import { visible } from "./visible.ts";

interface Question {
  workspace: string;
  organizationId: string;
  userId: string;
  limit: number;
  after: string | undefined;
}

export async function listNotifications({ workspace, organizationId, userId, limit, after }: Question) {
  const [page, [user], upTo] = await Promise.all([
    Inbox.page(workspace, organizationId, userId, limit, after),
    User.getMany(workspace, organizationId, [userId]),
    Inbox.readUpTo(workspace, organizationId, userId),
  ]);
  const unread = await Inbox.unread(workspace, organizationId, userId, upTo);
  const entries = loadable(page.entries);
  const [contents, read, documents] = await Promise.all([
    Notification.contentsOf(workspace, entries),
    Inbox.marked(workspace, entries),
    Owner.documentsOf(
      workspace,
      [...entries, ...unread.entries].map(({ uid }) => uid),
    ),
  ]);
  const reader = { userId, name: user?.name };
  const shown = entries.map((entry, index) => {
    const [document, text] = [documents.get(entry.uid), contents[index]];
    if (!document || text === undefined) return undefined;
    const isRead = entry.at <= upTo || read.has(entry.notificationId);
    return { ...placed(entry, document.documentId), isRead, ...visible(JSON.parse(text), reader) };
  });
  const count = fitting(shown);
  const next = count < page.entries.length ? page.entries[count - 1]?.sk : page.next;
  return {
    notifications: shown.slice(0, count).filter((each) => each !== undefined),
    unreadCount: unread.entries.filter(({ uid }) => documents.has(uid)).length,
    unreadIsMore: unread.isMore,
    next,
  };
}

/** As many as one page holds: one at least. */
function loadable<Entry extends Notification.Entry>(entries: Entry[]): Entry[] {
  let characters = 0;
  const end = entries.findIndex((entry, index) => {
    characters += entry.characters;
    return index > 0 && characters > charactersMax;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

const placed = ({ notificationId, organizationId, at }: Notification.Entry, documentId: string) => ({
  notificationId,
  organizationId,
  documentId,
  createdAt: at,
});
