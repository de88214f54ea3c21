// One user's notifications, as a source for `pageOfLive`.

import { type Page, pageOf } from "../dynamodb/page.ts";
import type { Source } from "../dynamodb/page-of-live.ts";
import type { Liveness } from "../features/liveness.ts";
import { sentBytes } from "../http/reply-size.ts";
import { hasEnded } from "../retention.ts";
import * as Acted from "../store/activity/acted.ts";
import * as Inbox from "../store/notifications/inbox.ts";
import * as Notification from "../store/notifications/notification.ts";
import type { UserLifeRef, UserRef } from "../store/refs.ts";
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

type InvolvingEntry = Inbox.NotificationPointer & { sk: string };

/**
 * One page of the notifications that a user received or caused, the oldest first, each once. Both lists have the same sort
 * keys, so they are merged.
 */
async function notificationsInvolving(user: UserLifeRef, limit: number, from?: string): Promise<Page<InvolvingEntry>> {
  const lists: Page<InvolvingEntry>[] = await Promise.all([
    Inbox.oldest(user, limit, from),
    Acted.page(user, limit, from),
  ]);
  const bySortKey = new Map(lists.flatMap(({ items }) => items).map((entry) => [entry.sk, entry]));
  // Behind the end of a list that continues, an entry of it can be missing.
  const ends = lists.flatMap(({ next }) => next ?? []).sort();
  const known = [...bySortKey.keys()].sort().filter((sk) => ends[0] === undefined || sk <= ends[0]);
  const shown = known.slice(0, limit);
  const hasMore = ends.length > 0 || shown.length < known.length;
  const items = shown.map((sk) => bySortKey.get(sk) as InvolvingEntry);
  return pageOf(items, hasMore ? (shown.at(-1) ?? ends[0]) : undefined);
}
