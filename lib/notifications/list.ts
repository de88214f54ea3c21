// A page of a user's notifications, newest first. Notifications of deleted documents are omitted, also before their
// purge. So a page can be short although more follow.
import { fitting, pageCharactersMax } from "../dynamodb/page.ts";
import { documentsByUid } from "../store/document-by-uid.ts";
import * as Inbox from "../store/inbox.ts";
import * as Notification from "../store/notification.ts";
import type { UserRef } from "../store/refs.ts";
import * as User from "../store/user.ts";
import { visibleTo } from "./visible.ts";

export async function listNotifications(userRef: UserRef, limit: number, from?: string) {
  const user = await User.get(userRef);
  const ref = { ...userRef, generation: User.generationOf(user) };
  const [page, upTo] = await Promise.all([Inbox.page(ref, limit, from), Inbox.readUpTo(ref)]);
  const unread = await Inbox.unread(ref, upTo);
  const entries = loadable(page.items);
  const [contents, read, documents] = await Promise.all([
    Notification.contentsOf(ref, entries),
    Inbox.marked(ref, entries),
    documentsByUid(
      ref,
      [...entries, ...unread.entries].map(({ documentUid }) => documentUid),
    ),
  ]);
  const reader = { userId: ref.userId, name: user?.name };
  const notifications = entries.map((entry, index) => {
    const [document, text] = [documents.get(entry.documentUid), contents[index]];
    if (!document || text === undefined) return undefined;
    const { notificationId, organizationId, at } = entry;
    return {
      notificationId,
      organizationId,
      documentId: document.documentId,
      createdAt: at,
      isRead: at <= upTo || read.has(notificationId),
      ...visibleTo(reader, JSON.parse(text)),
    };
  });
  const count = fitting(notifications);
  return {
    notifications: notifications.slice(0, count).filter((each) => each !== undefined),
    unreadCount: unread.entries.filter(({ documentUid }) => documents.has(documentUid)).length,
    unreadIsMore: unread.isMore,
    next: count < page.items.length ? page.items[count - 1]?.sk : page.next,
  };
}

/** The first entries whose contents fit a page, at least one. */
function loadable<Entry extends Inbox.InboxEntry>(entries: Entry[]): Entry[] {
  let characters = 0;
  const end = entries.findIndex((entry, index) => {
    characters += entry.characters;
    return index > 0 && characters > pageCharactersMax;
  });
  return end < 0 ? entries : entries.slice(0, end);
}
