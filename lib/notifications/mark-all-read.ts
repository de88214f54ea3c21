// Marks all notifications of a user as read. They are sorted by the time when they were added, and reach the user later.
// So a newer one can arrive before an older one, and no single time tells which of the recent ones the user has.
import { hasEnded } from "../retention.ts";
import * as Inbox from "../store/notifications/inbox.ts";
import type { UserLifeRef } from "../store/refs.ts";

/** A notification can arrive this long after it was added: the fan-out takes seconds, its retries take minutes. */
const lateMs = 15 * 60_000;
/** Most recent notifications that get a mark each. */
const recentMax = 1_000;
const pageSize = 100;

/**
 * Marks what the user has now. A notification that arrives later stays unread, also if it was added before. Each recent
 * one gets a mark; the newest of the others stands for the rest. `isStored`: the user has an item. For others, the newest
 * 1,000 get a mark each: the deletion of the organization finds those by their notifications.
 */
export async function markAllRead(user: UserLifeRef, isStored: boolean): Promise<void> {
  const since = new Date(Date.now() - lateMs).toISOString();
  const recent: Inbox.InboxEntry[] = [];
  let settled: Inbox.InboxEntry | undefined;
  let from: string | undefined;
  do {
    const page = await Inbox.newest(user, pageSize, from);
    const present = page.items.filter((entry) => !hasEnded(entry));
    const newer = isStored ? present.filter(({ at }) => at > since) : present;
    recent.push(...newer);
    settled = present[newer.length];
    from = page.next;
    if (recent.length >= recentMax) settled ??= recent.at(-1);
  } while (!settled && from !== undefined);
  await Inbox.markRead(user, recent);
  if (settled && isStored) await Inbox.markReadUpTo(user, settled.at);
}
