// The list of a workspace's messages. Those that were never tried come first, queue by queue. Then come all others, the
// newest first.
import { type Page, pageOf } from "../dynamodb/page.ts";
import { type MessageChannel, messageChannels } from "../schema/message-channels.ts";
import type { MessageState } from "../schema/message-list.ts";
import type { Message } from "../store/messages/message.ts";
import { messageIdOf } from "../store/messages/message.ts";
import { pageOfMessages } from "../store/messages/message-page.ts";
import { conversationOf, type MessageQueueRef, messageShards, queueOf } from "../store/messages/waiting-message.ts";
import { pageOfUntried, type Untried } from "../store/messages/waiting-page.ts";
import type { DocumentUid, UserRef, WorkspaceRef } from "../store/refs.ts";

interface MessageFilters {
  channel?: MessageChannel | undefined;
  state?: MessageState | undefined;
  organizationId?: string | undefined;
  user?: UserRef | undefined;
  documentUid?: DocumentUid | undefined;
  /** Ms since the epoch, of the first event. From `after` on, and before `before`. */
  after?: number | undefined;
  before?: number | undefined;
}

/** A message without what the list does not show. */
export type ListedMessage = Omit<Message, "ttl">;

/** One page. It can be short, or empty with a position. */
export async function listMessages(
  ref: WorkspaceRef,
  filters: MessageFilters,
  limit: number,
  from?: string,
): Promise<Page<ListedMessage>> {
  const { state } = filters;
  if (from === undefined ? state === undefined || state === "waiting" : from.startsWith("w ")) {
    return waitingPage(ref, filters, limit, from);
  }
  return recordedPage(ref, filters, limit, from?.slice(2));
}

async function waitingPage(ref: WorkspaceRef, filters: MessageFilters, limit: number, from = "w 0 ") {
  const queues = queuesOf(ref, filters);
  const items: ListedMessage[] = [];
  const [, start = "0", ...position] = from.split(" ");
  let after = position.join(" ") || undefined;
  for (let index = Number(start); index < queues.length; index++) {
    const queue = queues[index] as MessageQueueRef;
    const page = await pageOfUntried(queue, filters.user, limit - items.length, after);
    items.push(...page.items.map((events) => untried(queue.channel, events)).filter(matching(filters)));
    if (page.next !== undefined) return pageOf(items, `w ${index} ${page.next}`);
    if (items.length >= limit) return pageOf(items, index + 1 < queues.length ? `w ${index + 1} ` : "m ");
    after = undefined;
  }
  const rest = await recordedPage(ref, filters, limit - items.length);
  return pageOf([...items, ...rest.items], rest.next);
}

async function recordedPage(ref: WorkspaceRef, filters: MessageFilters, limit: number, from?: string) {
  const page = await pageOfMessages(ref, filters, matching(filters), limit, from || undefined);
  return pageOf<ListedMessage>(page.items, page.next === undefined ? undefined : `m ${page.next}`);
}

function queuesOf({ workspace }: WorkspaceRef, { channel, user }: MessageFilters): MessageQueueRef[] {
  const channels = messageChannels.filter((each) => channel === undefined || each === channel);
  return channels.flatMap((each) =>
    user
      ? [queueOf({ workspace, channel: each }, user)]
      : messageShards.map((shard) => ({ workspace, channel: each, shard })),
  );
}

const matching =
  ({
    channel,
    state,
    organizationId,
    user,
    documentUid,
    after = 0,
    before = Number.POSITIVE_INFINITY,
  }: MessageFilters) =>
  (message: ListedMessage): boolean => {
    const time = Date.parse(message.createdAt);
    return (
      (channel === undefined || message.channel === channel) &&
      (state === undefined || message.state === state) &&
      (organizationId === undefined || message.organizationId === organizationId) &&
      (user === undefined || message.userId === user.userId) &&
      (documentUid === undefined || message.documentUid === documentUid) &&
      time >= after &&
      time < before
    );
  };

/** The message that these events become if nothing changes until it is sent. */
function untried(channel: MessageChannel, events: Untried): ListedMessage {
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
