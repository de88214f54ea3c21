// The events that wait to be sent to a user by one channel, and their due times. All waiting events for one user about
// one document (a conversation) become one message. The keys of both kinds of items follow from the event, and their
// puts have no condition. So a repeated step changes nothing.
import { deleteAll, putAll } from "../../dynamodb/batch-write.ts";
import { entity } from "../../dynamodb/entity.ts";
import { segment, shardOf } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import type { EventValue } from "../../schema/events.ts";
import { type MessageChannel, messageChannels } from "../../schema/message-channels.ts";
import { type DocumentUid, type WorkspaceRef, workspacePartition } from "../refs.ts";

/** The user and the document that a message is about. */
export interface Conversation {
  organizationId: string;
  documentUid: DocumentUid;
  userId: string;
}

/**
 * Stands in place of a document's internal id in the conversation of a digest. A digest has the events above the limit
 * of an address, from all documents of the organization. No document has this id: internal ids are UUIDs.
 */
export const digestUid = "%DIGEST" as DocumentUid;

/** One event or notification that waits for its message. The texts of comments are read when it is sent. */
export interface WaitingMessage extends Conversation {
  /** The generation of the user when the event happened. */
  generation: number;
  /** The event's type. */
  event: string;
  /** When it happened, ISO 8601. */
  at: string;
  /** Identifies the event. */
  origin: string;
  annotationId?: string | undefined;
  commentId?: string | undefined;
  notificationId?: string | undefined;
  actorId?: string | undefined;
  /** What the event has set. */
  value?: EventValue | undefined;
  /** The user is mentioned, or something is assigned to the user. For a notification: the user is named. */
  isPersonal?: boolean | undefined;
  /** Ms since the epoch. */
  dueAt: number;
  /** `x-request-id` of the call that caused the event. */
  causedBy?: string | undefined;
  /** The event waits in the conversation of the digest. */
  isInDigest?: true | undefined;
}

/** The time at which a message is sent, with all other waiting events of its conversation. */
export interface DueMessage extends Conversation, Pick<WaitingMessage, "origin" | "dueAt"> {}

/** A shard is the queue of one worker. All messages to a user in a channel are in one shard. */
export const messageShards: readonly number[] = [0, 1, 2, 3];
const shardOfUser = (userId: string) => shardOf(userId) % messageShards.length;

/** One queue of a workspace. */
export interface MessageQueueRef extends WorkspaceRef {
  channel: MessageChannel;
  shard: number;
}

type ChannelRef = WorkspaceRef & { channel: MessageChannel };

export const queuePartition = ({ workspace, channel, shard }: MessageQueueRef) =>
  `${workspacePartition({ workspace })}#M#${channel}#${shard}`;

/** All queues of a workspace. */
export const queuesOf = (ref: WorkspaceRef): MessageQueueRef[] =>
  messageChannels.flatMap((channel) => messageShards.map((shard) => ({ workspace: ref.workspace, channel, shard })));

export const conversationKey = ({ userId, organizationId, documentUid }: Conversation) =>
  `${segment(userId)}#${segment(organizationId)}#${documentUid}`;

/** The conversation in which a message waits. */
export const conversationOf = ({
  organizationId,
  documentUid,
  userId,
  isInDigest,
}: Conversation & Pick<WaitingMessage, "isInDigest">): Conversation => ({
  organizationId,
  documentUid: isInDigest ? digestUid : documentUid,
  userId,
});

/** Begins the sort keys of all messages to a user of an organization. */
export const userPrefix = ({ userId, organizationId }: Pick<Conversation, "userId" | "organizationId">) =>
  `U#${segment(userId)}#${segment(organizationId)}#`;

export const waitingMessageEntity = entity<WaitingMessage>()({
  name: "waiting-message",
  attributes: [
    "organizationId",
    "documentUid",
    "userId",
    "generation",
    "event",
    "at",
    "origin",
    "annotationId",
    "commentId",
    "notificationId",
    "actorId",
    "value",
    "isPersonal",
    "dueAt",
    "causedBy",
    "isInDigest",
  ],
  pk: queuePartition,
  prefix: "U#",
  sk: (message: Conversation & Pick<WaitingMessage, "at" | "origin" | "isInDigest">) =>
    `${conversationKey(conversationOf(message))}#${message.at}#${message.origin}`,
});

export const dueMessageEntity = entity<DueMessage>()({
  name: "due-message",
  attributes: ["organizationId", "documentUid", "userId", "origin", "dueAt"],
  pk: queuePartition,
  prefix: "T#",
  sk: (due: DueMessage) => `${timeKey(due.dueAt)}#${conversationKey(due)}#${due.origin}`,
});

/** When a message is due by itself. */
const dueOf = (message: WaitingMessage): DueMessage => {
  const { origin, dueAt } = message;
  return { ...conversationOf(message), origin, dueAt };
};

const timeDigits = 13;
const timeKey = (time: number) => String(time).padStart(timeDigits, "0");

export const queueOf = (
  { workspace, channel }: ChannelRef,
  { userId }: Pick<Conversation, "userId">,
): MessageQueueRef => ({
  workspace,
  channel,
  shard: shardOfUser(userId),
});

/** A queue in which something is due at `dueAt`, ms since the epoch, and nothing before. */
export type DueQueue = MessageQueueRef & { dueAt: number };

/** Adds messages. Returns the queues that have got messages. */
export async function add(ref: ChannelRef, messages: readonly WaitingMessage[]): Promise<DueQueue[]> {
  const placed = messages.map((message) => ({ ...queueOf(ref, message), ...message }));
  await putAll(placed.map((each) => waitingMessageEntity.put(each, each)));
  // A worker removes a due time without waiting messages. So the messages are written first.
  await putAll(placed.map((each) => dueMessageEntity.put({ ...each, ...dueOf(each) }, dueOf(each))));
  const { workspace, channel } = ref;
  return [...Map.groupBy(placed, ({ shard }) => shard)].map(([shard, group]) => {
    return { workspace, channel, shard, dueAt: Math.min(...group.map(({ dueAt }) => dueAt)) };
  });
}

/** Adds messages to the digest of their organization, which is due at `dueAt` (ms since the epoch). */
export async function addToDigest(
  queue: MessageQueueRef,
  messages: readonly WaitingMessage[],
  dueAt: number,
): Promise<void> {
  await add(
    queue,
    messages.map((message) => ({ ...message, isInDigest: true, dueAt })),
  );
}

/** Up to `limit` due times that have come at `time` (ms since the epoch), the longest due first. */
export async function due(queue: MessageQueueRef, time: number, limit: number): Promise<DueMessage[]> {
  const { pk } = dueMessageEntity.range(queue);
  const between = ["T#", `T#${timeKey(time + 1)}`] as const;
  return (await Table.query<DueMessage>({ pk, between, limit })).items;
}

/** When something is due next, ms since the epoch; undefined: nothing waits. */
export async function nextDueAt(queue: MessageQueueRef): Promise<number | undefined> {
  return (await Table.first<DueMessage>(dueMessageEntity.range(queue), 1))[0]?.dueAt;
}

/** The first `limit` messages of a conversation in the order of their events. */
export async function waitingIn(queue: MessageQueueRef, conversation: Conversation, limit: number) {
  const { pk } = waitingMessageEntity.range(queue);
  return Table.first<WaitingMessage>({ pk, beginsWith: `U#${conversationKey(conversation)}#` }, limit);
}

/** The messages among these that still wait in the conversation, in this order. */
export async function stillWaiting(
  queue: MessageQueueRef,
  conversation: Conversation,
  events: readonly Pick<WaitingMessage, "at" | "origin">[],
): Promise<WaitingMessage[]> {
  const keys = events.map(({ at, origin }) => waitingMessageEntity.key({ ...queue, ...conversation, at, origin }));
  return (await Table.getMany<WaitingMessage>(keys)).filter((found) => found !== undefined);
}

/** Removes messages with their due times. */
export async function remove(queue: MessageQueueRef, messages: readonly WaitingMessage[]): Promise<void> {
  await deleteAll(messages.map((message) => waitingMessageEntity.key({ ...queue, ...message })));
  await removeDue(queue, messages.map(dueOf));
}

export async function removeDue(queue: MessageQueueRef, dues: readonly DueMessage[]): Promise<void> {
  await deleteAll(dues.map((due) => dueMessageEntity.key({ ...queue, ...due })));
}

/** Replaces these times, and the due times of these messages, by another one (ms since the epoch). */
export async function postpone(
  queue: MessageQueueRef,
  dues: readonly DueMessage[],
  dueAt: number,
  messages: readonly WaitingMessage[] = [],
): Promise<void> {
  const [first] = dues;
  if (!first) return;
  await putAll([dueMessageEntity.put({ ...queue, ...first, dueAt }, { ...first, dueAt })]);
  // One of the messages can be due at that time already.
  const all = [...dues, ...messages.map(dueOf)];
  const former = all.filter((due) => due.dueAt !== dueAt || due.origin !== first.origin);
  await removeDue(queue, former);
}
