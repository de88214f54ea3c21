// The notifications of one user, and which of them are read. Read marks stand apart from the entries, since a fan-out
// that is run twice writes an entry again.

import * as Table from "../dynamodb/table.ts";
import { putAll } from "../jobs/commit.ts";
import { dataKeys } from "./data-keys.ts";
import type { Entry, Place } from "./notification.ts";

/** Notifications that are looked at for the unread ones. */
export const countedMax = 1_000;
/** Sorts behind every key that begins with a time and "#". */
const behind = "$";

/** Up to `limit` entries, newest first, after the sort key `after`. `next` is absent where no older one is left. */
export async function page(
  workspace: string,
  organizationId: string,
  userId: string,
  limit: number,
  after?: string,
): Promise<{ entries: (Entry & Table.Item)[]; next?: string }> {
  const pk = dataKeys.userNotifications(workspace, organizationId, userId);
  const { items, next } = await Table.query<Entry & Table.Item>({
    pk,
    isDescending: true,
    limit: limit + 1,
    ...(after !== undefined && { after }),
  });
  const last = items.length > limit ? items[limit - 1]?.sk : next;
  return { entries: items.slice(0, limit), ...(last !== undefined && { next: last }) };
}

/** Up to `limit` entries, oldest first, after the sort key `after`. */
export async function oldest(
  workspace: string,
  organizationId: string,
  userId: string,
  limit: number,
  after?: string,
): Promise<{ items: (Entry & Table.Item)[]; next?: string }> {
  const pk = dataKeys.userNotifications(workspace, organizationId, userId);
  return Table.query<Entry & Table.Item>({ pk, limit, ...(after !== undefined && { after }) });
}

/** Which of the user's own entries these are, in their order; undefined: the user does not have it. */
export async function entriesOf(workspace: string, userId: string, places: readonly Place[]) {
  return Table.getMany<Entry>(
    places.map((each) =>
      dataKeys.userNotification(workspace, each.organizationId, userId, each.at, each.notificationId),
    ),
  );
}

/** Until when the user has read all; ISO 8601. */
export async function readUpTo(workspace: string, organizationId: string, userId: string): Promise<string> {
  const item = await Table.get<{ at: string }>(dataKeys.readUpTo(workspace, organizationId, userId));
  return item?.at ?? "";
}

/** Of these entries, those that have a mark of their own, by notification id. */
export async function marked(workspace: string, entries: readonly Entry[]): Promise<Set<string>> {
  const found = await Table.getMany<Place>(entries.map((entry) => markOf(workspace, entry)));
  return new Set(found.flatMap((mark) => mark?.notificationId ?? []));
}

/** The unread ones among the newest `countedMax`. `isMore`: there are older ones that may be unread too. */
export async function unread(
  workspace: string,
  organizationId: string,
  userId: string,
  upTo: string,
): Promise<{ entries: Entry[]; isMore: boolean }> {
  const newest = (pk: string) => Table.newest<Entry & Table.Item>({ pk, above: `${upTo}${behind}` }, countedMax + 1);
  const [entries, marks] = await Promise.all([
    newest(dataKeys.userNotifications(workspace, organizationId, userId)),
    newest(dataKeys.readMarks(workspace, organizationId, userId)),
  ]);
  const read = new Set(marks.map(({ sk }) => sk));
  return {
    entries: entries.slice(0, countedMax).filter(({ sk }) => !read.has(sk)),
    isMore: entries.length > countedMax,
  };
}

/** Marks entries that the user has. */
export async function markRead(workspace: string, entries: readonly Entry[]): Promise<void> {
  await putAll(
    entries.map((entry) => {
      const { organizationId, uid, at, notificationId, userId } = entry;
      return { ...markOf(workspace, entry), organizationId, uid, at, notificationId, userId };
    }),
  );
}

/** Takes everything that was added until `at` as read. */
export async function markAllRead(workspace: string, organizationId: string, userId: string, at: string) {
  await Table.commit([{ put: { ...dataKeys.readUpTo(workspace, organizationId, userId), at } }]);
}

const markOf = (workspace: string, { organizationId, userId, at, notificationId }: Entry) =>
  dataKeys.readMark(workspace, organizationId, userId, at, notificationId);
