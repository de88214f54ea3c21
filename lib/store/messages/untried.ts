// The messages of one queue that wait for their first attempt, by user and document. They are not stored, but made from
// the events that wait in a conversation.
import { firstOf, type Position, type Source } from "../../dynamodb/page.ts";
import * as Table from "../../dynamodb/table.ts";
import { type Message, messageEntity, messageIdOf } from "./message.ts";
import { type OpenMessage, openMessageEntity } from "./open-message.ts";
import {
  type Conversation,
  conversationOf,
  type MessageQueueRef,
  userPrefix,
  type WaitingMessage,
  waitingMessageEntity,
} from "./waiting-message.ts";

type Stored = WaitingMessage & Position;
type Untried = [Stored, ...Stored[]];

/** Events of one read, and of one message. */
const eventsMax = { read: 1_000, message: 100 };

/** `message` is undefined for events of a message that is in the list. `user`: only messages to this user. */
export function untriedMessages(
  queue: MessageQueueRef,
  user: Pick<Conversation, "userId" | "organizationId"> | undefined,
): Source<Position & { message: Omit<Message, "ttl"> | undefined }> {
  const { pk } = waitingMessageEntity.range(queue);
  const beginsWith = user ? userPrefix(user) : "U#";
  const readFrom = async (after: string | undefined) => {
    const events = await Table.first<Stored>({ pk, beginsWith, after }, eventsMax.read + 1);
    const all = grouped(events);
    // The next events can belong to the last message.
    const isMore = events.length > eventsMax.read;
    const whole = isMore ? all.slice(0, -1) : all;
    const groups = whole.map((group) => ({ group, sk: lastOf(group).sk }));
    return { after, groups, next: isMore ? groups.at(-1)?.sk : undefined };
  };
  // One page can ask several times. The entries that it did not take are kept for its next question.
  let left: Awaited<ReturnType<typeof readFrom>> | undefined;
  return async (limit, after) => {
    const { groups, next } = left && left.after === after ? left : await readFrom(after);
    const { items, ...page } = firstOf(groups, limit, next);
    left = items.length < groups.length ? { after: page.next, groups: groups.slice(items.length), next } : undefined;
    const messages = await messagesOf(
      queue,
      items.map(({ group }) => group),
    );
    return { ...page, items: items.map(({ sk }, index) => ({ sk, message: messages[index] })) };
  };
}

const lastOf = (group: Untried): Stored => group.at(-1) ?? group[0];

function grouped(events: readonly Stored[]): Untried[] {
  const groups: Untried[] = [];
  let name = "";
  for (const event of events) {
    const own = JSON.stringify(conversationOf(event));
    const last = groups.at(-1);
    if (last && own === name && last.length < eventsMax.message) last.push(event);
    else groups.push([event]);
    name = own;
  }
  return groups;
}

/** Without the events of messages that are in the list. */
async function messagesOf(queue: MessageQueueRef, groups: readonly Untried[]) {
  const { workspace, channel } = queue;
  const openKeys = groups.map(([first]) => openMessageEntity.key({ ...queue, ...conversationOf(first) }));
  const open = await Table.getMany<OpenMessage>(openKeys);
  const ids = open.flatMap((each) => each?.messageId ?? []);
  const listed = await Table.getMany<object>(ids.map((messageId) => messageEntity.key({ workspace, messageId })));
  const isListed = new Set(ids.filter((_, index) => listed[index]));
  return groups.map((group, index) => {
    const { messageId = "", events = [] } = open[index] ?? {};
    const listedOrigins = new Set(isListed.has(messageId) ? events.map(({ origin }) => origin) : []);
    const [first, ...rest] = group.filter(({ origin }) => !listedOrigins.has(origin));
    return first && messageOf(channel, [first, ...rest]);
  });
}

/** The message that these events become if nothing changes until it is sent. */
function messageOf(channel: Message["channel"], events: Untried): Omit<Message, "ttl"> {
  const [first] = events;
  const { at, causedBy } = first;
  const { organizationId, documentUid, userId } = conversationOf(first);
  return {
    ...{ channel, organizationId, documentUid, userId },
    messageId: messageIdOf(channel, documentUid, first),
    events: [...new Set(events.map(({ event }) => event))],
    createdAt: at,
    state: "waiting",
    attempts: 0,
    nextAttemptAt: new Date(Math.min(...events.map(({ dueAt }) => dueAt))).toISOString(),
    ...(causedBy !== undefined && { causedBy }),
  };
}
