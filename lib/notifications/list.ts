// A page of a user's notifications, newest first. Notifications that have ended, and those of deleted documents, are
// omitted, also while they are stored.
import { fitting, type Page } from "../dynamodb/page.ts";
import { type ListWithHidden, pageOfShown } from "../dynamodb/shown-page.ts";
import { hasEnded } from "../retention.ts";
import * as User from "../store/access/user.ts";
import { documentByUid, type OwnedDocument } from "../store/content/document-by-uid.ts";
import * as Inbox from "../store/notifications/inbox.ts";
import * as Notification from "../store/notifications/notification.ts";
import type { DocumentUid, UserLifeRef, UserRef } from "../store/refs.ts";
import { visibleTo } from "./visible.ts";

/** The documents that entries name, in their order; undefined: deleted, or the entry has ended. Each is looked up once. */
type DocumentsOf = (entries: readonly Inbox.InboxEntry[]) => Promise<(OwnedDocument | undefined)[]>;

interface Listed {
  entry: Inbox.ListedEntry;
  document: OwnedDocument;
}

export async function listNotifications(userRef: UserRef, limit: number, from?: string) {
  const user = await User.get(userRef);
  const ref = { ...userRef, generation: User.generationOf(user) };
  const documentsOf = lookUpOf(ref);
  const [page, unread] = await Promise.all([pageOf(ref, documentsOf, limit, from), unreadOf(ref, documentsOf)]);
  const entries = page.items.map(({ entry }) => entry);
  const [contents, read] = await Promise.all([Notification.contentsOf(ref, entries), Inbox.marked(ref, entries)]);
  const reader = { userId: ref.userId, name: user?.name };
  const notifications = page.items.map(({ entry, document }, index) => {
    const text = contents[index];
    if (text === undefined) return undefined;
    const { notificationId, organizationId, at } = entry;
    return {
      notificationId,
      organizationId,
      documentId: document.documentId,
      createdAt: at,
      isRead: at <= unread.upTo || read.has(notificationId),
      ...visibleTo(reader, JSON.parse(text)),
    };
  });
  const count = fitting(notifications);
  return {
    notifications: notifications.slice(0, count).filter((each) => each !== undefined),
    unreadCount: unread.count,
    unreadIsMore: unread.isMore,
    next: count < entries.length ? entries[count - 1]?.sk : page.next,
  };
}

function lookUpOf(ref: UserRef): DocumentsOf {
  const known = new Map<DocumentUid, Promise<OwnedDocument | undefined>>();
  return (entries) =>
    Promise.all(
      entries.map((entry) => {
        if (hasEnded(entry)) return undefined;
        const { documentUid } = entry;
        const found = known.get(documentUid) ?? documentByUid({ workspace: ref.workspace, documentUid });
        known.set(documentUid, found);
        return found;
      }),
    );
}

/** The entries that have not ended, of documents that exist. Their contents fit a reply, whatever the hidden ones have. */
function pageOf(ref: UserLifeRef, documentsOf: DocumentsOf, limit: number, from?: string): Promise<Page<Listed>> {
  const entries: ListWithHidden<Inbox.ListedEntry, Listed> = {
    read: (size, after) => Inbox.newest(ref, size, after),
    async show(read) {
      const documents = await documentsOf(read);
      return read.map((entry, index) => {
        const document = documents[index];
        return document && { entry, document };
      });
    },
    charactersOf: ({ entry }) => entry.characters,
  };
  return pageOfShown(entries, limit, from);
}

async function unreadOf(ref: UserLifeRef, documentsOf: DocumentsOf) {
  const upTo = await Inbox.readUpTo(ref);
  const { entries, isMore } = await Inbox.unread(ref, upTo);
  const documents = await documentsOf(entries);
  return { upTo, isMore, count: documents.filter((document) => document !== undefined).length };
}
