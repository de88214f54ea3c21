// The list of a workspace's messages of the last 30 days, without their texts. A second list finds the messages to one
// user, so that they can be erased.
import { hash } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import type { Position, Source } from "../../dynamodb/page.ts";
import { inRange } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { hasEnded, ttlAfter } from "../../retention.ts";
import type { MessageChannel } from "../../schema/message-channels.ts";
import type { MessageState } from "../../schema/message-list.ts";

import {
  type DocumentUid,
  organizationPartition,
  type UserRef,
  type WorkspaceRef,
  workspacePartition,
} from "../refs.ts";

export interface Message {
  messageId: string;
  channel: MessageChannel;
  organizationId: string;
  documentUid: DocumentUid;
  userId: string;
  /** The types of its events, each once. */
  events: string[];
  /** When the first of its events happened, ISO 8601. */
  createdAt: string;
  state: MessageState;
  attempts: number;
  /** When it was last tried, ISO 8601. */
  lastAttemptAt?: string | undefined;
  nextAttemptAt?: string | undefined;
  /** Why it was not sent. */
  error?: string | undefined;
  causedBy?: string | undefined;
  ttl: number;
}

const timeDigits = 13;
const latest = 10 ** timeDigits - 1;

/**
 * The prefix of the ids of messages of this time (ms since the epoch). No message is older than 1970 or later than
 * 2286, but a caller can ask for such times. Texts sort in the order of the times only if all have the same number of
 * digits.
 */
const messageIdPrefix = (time: number) =>
  `mes_${String(Math.min(Math.max(time, 0), latest)).padStart(timeDigits, "0")}`;

/**
 * The id of a message that begins with this event. It is the same at each attempt. Ids of later messages sort after it.
 * The document is part of it, because a digest can begin with the same event as another message.
 */
export function messageIdOf(
  channel: MessageChannel,
  documentUid: DocumentUid,
  first: { userId: string; origin: string; at: string },
): string {
  const name = JSON.stringify([channel, documentUid, first.userId, first.origin]);
  return `${messageIdPrefix(Date.parse(first.at))}_${hash("sha256", name, "base64url").slice(0, 22)}`;
}

export const messageEntity = entity<Message>()({
  name: "message",
  attributes: [
    "messageId",
    "channel",
    "organizationId",
    "documentUid",
    "userId",
    "events",
    "createdAt",
    "state",
    "attempts",
    "lastAttemptAt",
    "nextAttemptAt",
    "error",
    "causedBy",
    "ttl",
  ],
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#ML`,
  sk: ({ messageId }: { messageId: string }) => messageId,
});

/** The message is removed with the entry of its user. */
export const messageOfUserDescendants = ({ workspace, messageId }: { messageId: string } & WorkspaceRef) => ({
  items: [messageEntity.key({ workspace, messageId })],
});

export const messageOfUserEntity = entity<Pick<Message, "messageId" | "ttl">>()({
  name: "message-of-user",
  attributes: ["messageId", "ttl"],
  pk: ({ userId, ...organization }: UserRef) => `${organizationPartition(organization)}#UM#${segment(userId)}`,
  sk: ({ messageId }: { messageId: string }) => messageId,
});

export async function get(ref: WorkspaceRef, messageId: string): Promise<Message | undefined> {
  const found = await Table.get<Message>(messageEntity.key({ ...ref, messageId }));
  return found && !hasEnded(found) ? found : undefined;
}

/** The write that records a test mail, which is for no user. */
export const recordingOfTest = (ref: WorkspaceRef, message: Omit<Message, "ttl">): Write =>
  messageEntity.put({ ...ref, messageId: message.messageId }, { ...message, ttl: ttlOf(message) });

const ttlOf = ({ createdAt }: Pick<Message, "createdAt">) =>
  ttlAfter("message", Math.floor(Date.parse(createdAt) / 1_000));

/** The writes that record the state of a message, and that list it for its user. */
export function recording(ref: WorkspaceRef, message: Omit<Message, "ttl">): Write[] {
  const ttl = ttlOf(message);
  const { messageId } = message;
  return [
    messageEntity.put({ ...ref, messageId }, { ...message, ttl }),
    messageOfUserEntity.put({ ...ref, ...message }, { messageId, ttl }),
  ];
}

/** Range of the time of a message's first event, ms since the epoch: from `after` on, and before `before`. */
export interface MessageTimes {
  after?: number | undefined;
  before?: number | undefined;
}

/** A workspace's messages, the newest event first; `message` is undefined if it has ended. `user`: only those to the user. */
export function recordedMessages(
  ref: WorkspaceRef,
  user: UserRef | undefined,
  { after, before }: MessageTimes,
): Source<Position & { message: Message | undefined }> {
  const pk = user ? messageOfUserEntity.partition(user) : messageEntity.partition(ref);
  const between = [messageIdPrefix(after ?? 0), before === undefined ? "mes_:" : messageIdPrefix(before)] as const;
  const read = inRange<Pick<Message, "messageId"> & Partial<Message>>({ pk, between, isDescending: true });
  return async (limit, from) => {
    const { items, ...page } = await read(limit, from);
    const messages = user
      ? await Table.getMany<Message>(items.map(({ messageId }) => messageEntity.key({ ...ref, messageId })))
      : (items as Message[]);
    const kept = messages.map((message) => (message && !hasEnded(message) ? message : undefined));
    return { ...page, items: items.map(({ sk }, index) => ({ sk, message: kept[index] })) };
  };
}
