// A user's notifications with given ids.
import { hasEnded } from "../retention.ts";
import { documentsByUid } from "../store/content/document-by-uid.ts";
import * as Inbox from "../store/notifications/inbox.ts";
import type { UserLifeRef } from "../store/refs.ts";

/** The user's entries of these notifications, without ended notifications and without deleted documents. */
export async function ownedEntries(
  user: UserLifeRef,
  pointers: readonly (Inbox.NotificationPointer | undefined)[],
): Promise<Inbox.InboxEntry[]> {
  const existing = pointers.filter((pointer) => pointer !== undefined).filter((pointer) => !hasEnded(pointer));
  const [entries, documents] = await Promise.all([
    Inbox.entriesOf(user, existing),
    documentsByUid(
      user,
      existing.map(({ documentUid }) => documentUid),
    ),
  ]);
  return entries.filter((entry) => entry !== undefined).filter(({ documentUid }) => documents.has(documentUid));
}
