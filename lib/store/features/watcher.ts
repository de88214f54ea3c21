// Users who chose `ALL` for a channel, on a document or on the organization. One transaction writes a preference and
// its list. So an event reads only these users, and nobody else. They are sharded: many users can choose at the same
// time.
import { entity } from "../../dynamodb/entity.ts";
import { type Key, segment, shardOf } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { type MessageChannel, messageChannels } from "../../schema/message-channels.ts";
import type { Level } from "../../schema/notifications.ts";
import { type DocumentDataRef, documentDataPartition, type OrganizationRef, organizationPartition } from "../refs.ts";

export interface Watcher {
  userId: string;
  generation: number;
}

/** A user is on the list of each channel with the level `ALL`. */
type Levels = { [Channel in MessageChannel]?: Level | undefined };

interface ChannelRef {
  channel: MessageChannel;
}

/** Few shards, since each message and each deletion of a document reads them all. */
const shardsCount = 4;
const shards = Array.from({ length: shardsCount }, (_, shard) => shard);

interface ShardRef {
  shard: number;
}

const shardFor = ({ userId }: Pick<Watcher, "userId">) => shardOf(userId) % shardsCount;

/** The end of the partition of one list. */
const listOf = (shard: number) => `#W#${shard}`;

const attributes = ["userId", "generation"] as const;
const sk = ({ channel, userId }: ChannelRef & Pick<Watcher, "userId">) => `${channel}#${segment(userId)}`;

export const documentWatcherEntity = entity<Watcher>()({
  name: "document-watcher",
  attributes,
  pk: ({ shard, ...ref }: DocumentDataRef & ShardRef) => `${documentDataPartition(ref)}${listOf(shard)}`,
  sk,
});

export const organizationWatcherEntity = entity<Watcher>()({
  name: "organization-watcher",
  attributes,
  pk: ({ shard, ...ref }: OrganizationRef & ShardRef) => `${organizationPartition(ref)}${listOf(shard)}`,
  sk,
});

/** The lists of an organization, for all channels. */
export const organizationWatcherPartitions = (organization: OrganizationRef): string[] =>
  shards.map((shard) => organizationWatcherEntity.partition({ ...organization, shard }));

/** The write that puts the user on a list for the level `ALL`, and takes the user off it for another level. */
export function watching(
  entityOfList: typeof documentWatcherEntity,
  ref: DocumentDataRef & ChannelRef & Watcher,
  level: Level,
): Write;
export function watching(
  entityOfList: typeof organizationWatcherEntity,
  ref: OrganizationRef & ChannelRef & Watcher,
  level: Level,
): Write;
export function watching(
  list: typeof documentWatcherEntity | typeof organizationWatcherEntity,
  ref: Watcher,
  level: Level,
): Write {
  const { userId, generation } = ref;
  const key = { ...ref, shard: shardFor(ref) } as never;
  return level === "ALL" ? list.put(key, { userId, generation }) : list.delete(key);
}

/** The writes that take a user off the lists of the organization. */
export const unwatching = (ref: OrganizationRef & Pick<Watcher, "userId">, levels: Levels): Write[] =>
  watchedIn(levels).map((channel) => organizationWatcherEntity.delete({ ...ref, channel, shard: shardFor(ref) }));

const watchedIn = (levels: Levels) => messageChannels.filter((channel) => levels[channel] === "ALL");

/** The keys of the user's entries beside a preference, in the lists of its document. `pk`: of the document. */
export const watcherKeysBeside = ({ pk, userId, ...levels }: Levels & Pick<Watcher, "userId"> & Pick<Key, "pk">) =>
  watchedIn(levels).map(
    (channel): Key => ({ pk: `${pk}${listOf(shardFor({ userId }))}`, sk: sk({ channel, userId }) }),
  );

/** For each shard of both lists, the key before its next page; null: it has ended. */
export type WatcherCursors = readonly (string | null)[];
export const startOfWatchers: WatcherCursors = Array<string>(2 * shardsCount).fill("");

/**
 * The next page of the lists of a document and of its organization, of about `entriesMax` entries in all. A user can be
 * in both.
 */
export async function nextWatchers(
  channel: MessageChannel,
  document: DocumentDataRef & OrganizationRef,
  cursors: WatcherCursors = startOfWatchers,
  entriesMax = 1_000,
): Promise<{ watchers: Watcher[]; cursors: WatcherCursors; isDone: boolean }> {
  const open = cursors.flatMap((after, list) => (after === null ? [] : [{ list, after }]));
  const limit = Math.max(1, Math.floor(entriesMax / Math.max(open.length, 1)));
  const pages = await Promise.all(
    open.map(({ list, after }) => {
      const shard = list % shardsCount;
      const of = list < shardsCount ? documentWatcherEntity : organizationWatcherEntity;
      const pk = of.partition({ ...document, shard });
      return Table.query<Watcher>({ pk, beginsWith: `${channel}#`, after, limit });
    }),
  );
  const next = [...cursors];
  for (const [index, { list }] of open.entries()) next[list] = pages[index]?.next ?? null;
  return { watchers: pages.flatMap(({ items }) => items), cursors: next, isDone: next.every((each) => each === null) };
}
