// The list of a workspace's messages. Messages that were never tried come first, queue by queue. Then come all other
// messages, the newest first.
import { fillPage, type Page, type Position } from "../dynamodb/page.ts";
import { inSequence } from "../dynamodb/sources.ts";
import { type MessageChannel, messageChannels } from "../schema/message-channels.ts";
import type { MessageState } from "../schema/message-list.ts";
import { type Message, type MessageTimes, recordedMessages } from "../store/messages/message.ts";
import { untriedMessages } from "../store/messages/untried.ts";
import { type MessageQueueRef, messageShards, queueOf } from "../store/messages/waiting-message.ts";
import type { DocumentUid, UserRef, WorkspaceRef } from "../store/refs.ts";

interface MessageFilters extends MessageTimes {
  channel?: MessageChannel | undefined;
  state?: MessageState | undefined;
  organizationId?: string | undefined;
  user?: UserRef | undefined;
  documentUid?: DocumentUid | undefined;
}

/** The fields of a message that the list shows. */
export type ListedMessage = Omit<Message, "ttl">;

/** One page. It can be short, or empty with a position. */
export async function listMessages(
  ref: WorkspaceRef,
  filters: MessageFilters,
  limit: number,
  from?: string,
): Promise<Page<ListedMessage>> {
  const { state, user } = filters;
  const queues = state === undefined || state === "waiting" ? queuesOf(ref, filters) : [];
  const untried = queues.map((queue) => untriedMessages(queue, user));
  const matches = matching(filters);
  const list = {
    // A message that is tried meanwhile is recorded. So the queues are read first.
    read: inSequence<MessageEntry>([...untried, recordedMessages(ref, user, filters)], "one by one"),
    show: (entries: MessageEntry[]) =>
      entries.map(({ message }) => (message && matches(message) ? message : undefined)),
  };
  return fillPage(list, { limit, from });
}

type MessageEntry = Position & { message: ListedMessage | undefined };

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
