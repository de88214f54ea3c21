// Marks of events that a message contained, or that were moved to the digest. A repeated fan-out, or a worker that
// continues after its lease has ended, can add an event to the waiting events a second time. Because of the mark, the
// event is not sent again.
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { ttlAfter } from "../../retention.ts";
import type { OpenMessage } from "./open-message.ts";
import { type Conversation, conversationKey, type MessageQueueRef, queuePartition } from "./waiting-message.ts";

interface HandledEvents extends Conversation {
  messageId: string;
  /** When the last of the events happened, ISO 8601. */
  lastAt: string;
  /** The events. */
  origins: string[];
  /** The events were not sent, but moved to the digest of the day. */
  isMoved?: boolean | undefined;
  ttl: number;
}

/** The sort key has the time of the last event. So all marks of an event come after the key of its own time. */
export const handledEventsEntity = entity<HandledEvents>()({
  name: "handled-events",
  attributes: ["organizationId", "documentUid", "userId", "messageId", "lastAt", "origins", "isMoved", "ttl"],
  pk: queuePartition,
  prefix: "D#",
  sk: (handled: Conversation & Pick<HandledEvents, "lastAt" | "messageId">) =>
    `${conversationKey(handled)}#${handled.lastAt}#${handled.messageId}`,
});

/** The write that marks the events of a message. The mark is kept as long as the message in the list. */
export function marking(queue: MessageQueueRef, open: OpenMessage, isMoved?: true): Write {
  const { organizationId, documentUid, userId, messageId, events } = open;
  const lastAt = events.at(-1)?.at ?? "";
  const mark = { organizationId, documentUid, userId, messageId, lastAt, isMoved, ttl: ttlAfter("message") };
  return handledEventsEntity.put({ ...queue, ...mark }, { ...mark, origins: events.map(({ origin }) => origin) });
}

/** The marked events of a conversation that happened at `at` (ISO 8601) or later, each with whether it was moved. */
export async function handledSince(
  queue: MessageQueueRef,
  conversation: Conversation,
  at: string,
): Promise<Map<string, { isMoved: boolean }>> {
  const { pk } = handledEventsEntity.range(queue);
  const of = `D#${conversationKey(conversation)}#`;
  // A time begins with a digit, and ":" sorts after all digits.
  const handled = new Map<string, { isMoved: boolean }>();
  for await (const page of Table.all<HandledEvents>({ pk, between: [of + at, `${of}:`] })) {
    for (const { origins, isMoved = false } of page) for (const origin of origins) handled.set(origin, { isMoved });
  }
  return handled;
}
