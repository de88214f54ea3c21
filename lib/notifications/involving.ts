// The notifications in which a user is involved: those that the user received, and those that the user caused.
import { type Page, pageOf } from "../dynamodb/page.ts";
import * as Acted from "../store/activity/acted.ts";
import * as Inbox from "../store/notifications/inbox.ts";
import type { UserLifeRef } from "../store/refs.ts";

export type InvolvingEntry = Inbox.NotificationPointer & { sk: string };

/** One page, the oldest first, each notification once. Both lists have the same sort keys, so they are merged. */
export async function notificationsInvolving(
  user: UserLifeRef,
  limit: number,
  from?: string,
): Promise<Page<InvolvingEntry>> {
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
