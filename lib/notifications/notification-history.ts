// One user's notifications, as a list.
import { mergedRanges } from "../dynamodb/merged-ranges.ts";
import type { List, Position, Source } from "../dynamodb/page.ts";
import type { Liveness } from "../features/liveness.ts";
import { sentSize } from "../http/envelope.ts";
import { hasEnded } from "../retention.ts";
import * as User from "../store/access/user.ts";
import { actedEntryEntity, inboxEntryEntity, type NotificationPointer } from "../store/notifications/inbox.ts";
import * as Notification from "../store/notifications/notification.ts";
import type { UserLifeRef, UserRef } from "../store/refs.ts";
import { visibleTo } from "./visible.ts";

type Entry = NotificationPointer & Position;

/**
 * Notifications that the user received or caused, as the user sees them, with the current ids of their documents.
 * `stored`: reads the user.
 */
export function notificationsOf(
  user: UserRef,
  stored: () => Promise<User.User | undefined>,
  live: Liveness,
): List<Entry, object> {
  let reading: Promise<Source<Entry>> | undefined;
  return {
    async read(limit, from) {
      reading ??= stored().then((found) => involving({ ...user, generation: User.generationOf(found) }));
      return (await reading)(limit, from);
    },

    async canShow(entries) {
      const documents = await Promise.all(entries.map((entry) => (hasEnded(entry) ? undefined : live.document(entry))));
      return documents.map((document) => document !== undefined);
    },

    async show(entries) {
      const [contents, found] = await Promise.all([Notification.contentsOf(user, entries), stored()]);
      const reader = { userId: user.userId, name: found?.name };
      return Promise.all(
        entries.map(async (entry, index) => {
          const [document, content] = [await live.document(entry), contents[index]];
          if (!document || content === undefined) return undefined;
          const { notificationId, at } = entry;
          return { notificationId, ...document, createdAt: at, ...visibleTo(reader, JSON.parse(content)) };
        }),
      );
    },

    sizeOf: sentSize,
  };
}

/** The oldest first. A notification that the user received and caused has the same sort key in both ranges. */
const involving = (user: UserLifeRef): Source<Entry> =>
  mergedRanges<NotificationPointer>([inboxEntryEntity.range(user), actedEntryEntity.range(user)]);
