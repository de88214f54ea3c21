// The notifications of one user, and their read marks. Read marks are separate items, because a repeated step of the
// delivery writes an entry again, and must not make it unread.
import { putAll } from "../../dynamodb/batch-write.ts";
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { conflict, retryOnConflict } from "../../dynamodb/retry-on-conflict.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import {
  type DocumentDataRef,
  organizationPartition,
  type UserLifeRef,
  type UserRef,
  userLifeSegments,
} from "../refs.ts";

/** A notification's id, and the document under which it is stored. */
export interface NotificationPointer extends Pick<DocumentDataRef, "documentUid"> {
  organizationId: string;
  /** When it was added, ISO 8601. */
  at: string;
  notificationId: string;
  /** When it ends, Unix seconds. */
  ttl?: number | undefined;
}

/** A notification in a user's inbox. */
export interface InboxEntry extends NotificationPointer {
  userId: string;
  /** Characters of the stored content, so that a page knows the size of its items before it loads them. */
  characters: number;
}

/** An entry as a list returns it. */
type ListedEntry = InboxEntry & { sk: string };

/** Without a generation: the first one. */
type InboxRef = UserRef & Partial<UserLifeRef>;

/** Sorts the notifications of a user by the time of their addition. */
export const sortKeyOf = ({ at, notificationId }: Pick<NotificationPointer, "at" | "notificationId">) =>
  `${at}#${segment(notificationId)}`;

export const pointerAttributes = ["organizationId", "documentUid", "at", "notificationId", "userId", "ttl"] as const;

export const inboxEntryEntity = entity<InboxEntry>()({
  name: "inbox-entry",
  attributes: [...pointerAttributes, "characters"],
  pk: (ref: InboxRef) => `${organizationPartition(ref)}#UN#${userLifeSegments(ref)}`,
  sk: sortKeyOf,
});

/** A read mark has the same sort key as the inbox entry. */
export const readMarkEntity = entity<Omit<InboxEntry, "characters">>()({
  name: "read-mark",
  attributes: pointerAttributes,
  pk: (ref: InboxRef) => `${organizationPartition(ref)}#UR#${userLifeSegments(ref)}`,
  sk: sortKeyOf,
});

/** Sorts before every read mark. */
export const readUpToEntity = entity<{ at: string }>()({
  name: "read-up-to",
  attributes: ["at"],
  pk: (ref: InboxRef) => readMarkEntity.partition(ref),
  sk: () => "#ALL",
});

/** Unread notifications are counted among this many of the newest ones. */
export const countedMax = 1_000;
/** A time with this suffix sorts after every key that begins with that time and "#". */
const behind = "$";

export const newestFirst = (user: InboxRef): Table.Range => ({ ...inboxEntryEntity.range(user), isDescending: true });

/** The user's entries of these notifications, in their order; undefined: the user does not have it. */
export async function entriesOf(user: UserLifeRef, notifications: readonly NotificationPointer[]) {
  return Table.getMany<InboxEntry>(
    notifications.map(({ at, notificationId }) => inboxEntryEntity.key({ ...user, at, notificationId })),
  );
}

/** The time (ISO 8601) until which the user has marked all as read; empty if never. */
export async function readUpTo(user: UserLifeRef): Promise<string> {
  const item = await Table.get<{ at: string }>(readUpToEntity.key(user));
  return item?.at ?? "";
}

/** Ids of the notifications that have a read mark, among these entries. */
export async function marked(user: UserLifeRef, entries: readonly InboxEntry[]): Promise<Set<string>> {
  const found = await Table.getMany<NotificationPointer>(
    entries.map((entry) => readMarkEntity.key({ ...entry, ...user })),
  );
  return new Set(found.flatMap((mark) => mark?.notificationId ?? []));
}

/** The unread ones among the newest `countedMax` after `upTo` (ISO 8601). `isMore`: older ones may be unread too. */
export async function unread(user: UserLifeRef, upTo: string): Promise<{ entries: InboxEntry[]; isMore: boolean }> {
  const newestOf = (pk: string) => Table.newest<ListedEntry>({ pk, above: `${upTo}${behind}` }, countedMax + 1);
  const [entries, marks] = await Promise.all([
    newestOf(inboxEntryEntity.partition(user)),
    newestOf(readMarkEntity.partition(user)),
  ]);
  const read = new Set(marks.map(({ sk }) => sk));
  return {
    entries: entries.slice(0, countedMax).filter(({ sk }) => !read.has(sk)),
    isMore: entries.length > countedMax,
  };
}

/** Marks these entries as read. */
export async function markRead(user: UserLifeRef, entries: readonly InboxEntry[]): Promise<void> {
  await putAll(entries.map((entry) => readMarkEntity.put({ ...entry, ...user }, entry)));
}

/** Marks all notifications that were added until `at` (ISO 8601) as read. A later time that is stored stays. */
export async function markReadUpTo(user: UserLifeRef, at: string): Promise<void> {
  await retryOnConflict("read mark", async () => {
    const before = await readUpTo(user);
    if (before >= at) return undefined;
    const write = readUpToEntity.put(user, { at }, before ? { at: before } : "absent");
    return (await writeAll([write])) ? undefined : conflict;
  });
}

type ActedEntry = NotificationPointer & { userId: string };

/**
 * The notifications that a user caused, in the order of their addition. The user need not be a recipient. The sort key is
 * the same as that of an inbox entry, so that the two lists of a user can be merged.
 */
export const actedEntryEntity = entity<ActedEntry>()({
  name: "acted-entry",
  attributes: pointerAttributes,
  pk: (ref: UserRef) => `${organizationPartition(ref)}#UA#${segment(ref.userId)}`,
  sk: sortKeyOf,
});
