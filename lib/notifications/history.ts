// One user's notifications, as a source for `pageOfLive`.
import type { Source } from "../dynamodb/page-of-live.ts";
import type { Liveness } from "../features/liveness.ts";
import { sentBytes } from "../http/reply-size.ts";
import { hasEnded } from "../retention.ts";
import * as Notification from "../store/notifications/notification.ts";
import type { UserRef } from "../store/refs.ts";
import { type InvolvingEntry, notificationsInvolving } from "./involving.ts";
import { visibleTo } from "./visible.ts";

/** Notifications that the user received or caused, as the user sees them, with the current ids of their documents. */
export function notificationsOf(
  user: UserRef,
  generation: () => Promise<number>,
  live: Liveness,
): Source<InvolvingEntry> {
  return {
    read: async (limit, from) => notificationsInvolving({ ...user, generation: await generation() }, limit, from),

    canBeLive: async (entries) =>
      (await Promise.all(entries.map((entry) => (hasEnded(entry) ? undefined : live.document(entry))))).map(
        (document) => document !== undefined,
      ),

    async load(entries) {
      const contents = await Notification.contentsOf(user, entries);
      return Promise.all(
        entries.map(async (entry, index) => {
          const [document, content] = [await live.document(entry), contents[index]];
          if (!document || content === undefined) return undefined;
          const { notificationId, at } = entry;
          const exported = { notificationId, ...document, createdAt: at, ...visibleTo(user, JSON.parse(content)) };
          return { exported, bytes: sentBytes(JSON.stringify(exported)) };
        }),
      );
    },
  };
}
