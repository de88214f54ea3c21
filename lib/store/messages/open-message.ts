// The message of a conversation that a worker is sending, or that waits for its next attempt. It fixes the id and the
// events of the message. A provider that has accepted it without a reply gets the same message again. The repeated
// message has no later events. So no event is lost if a mail client hides the repeated mail. It is also the worker's
// claim on the conversation, so two workers never send the same event.
import { randomUUID } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAlone } from "../../dynamodb/write-alone.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { type Conversation, conversationKey, type MessageQueueRef, queuePartition } from "./waiting-message.ts";

/** An event of the message. */
export interface ToldEvent {
  /** ISO 8601. */
  at: string;
  origin: string;
}

export interface OpenMessage extends Conversation {
  messageId: string;
  /** In their order. */
  events: ToldEvent[];
  /** Attempts that have begun. */
  attempts: number;
  /** Ms since the epoch. */
  nextAttemptAt?: number | undefined;
  /** The day (in UTC) whose limits count the message. */
  countedOn?: string | undefined;
  /** Identifies the last claim. */
  claim: string;
  /** The end of the claim, ms since the epoch. */
  claimedUntil: number;
}

export const openMessageEntity = entity<OpenMessage>()({
  name: "open-message",
  attributes: [
    "organizationId",
    "documentUid",
    "userId",
    "messageId",
    "events",
    "attempts",
    "nextAttemptAt",
    "countedOn",
    "claim",
    "claimedUntil",
  ],
  pk: queuePartition,
  prefix: "O#",
  sk: conversationKey,
});

export async function get(queue: MessageQueueRef, conversation: Conversation): Promise<OpenMessage | undefined> {
  return Table.get<OpenMessage>(openMessageEntity.key({ ...queue, ...conversation }));
}

/** Claims the conversation, which is as it was read: `former`. Returns undefined when another worker was faster. */
export async function claim(
  queue: MessageQueueRef,
  former: OpenMessage | undefined,
  wanted: Omit<OpenMessage, "claim" | "claimedUntil">,
  milliseconds: number,
): Promise<OpenMessage | undefined> {
  const own = randomUUID();
  const open = { ...wanted, claim: own, claimedUntil: Date.now() + milliseconds };
  const asRead = former ? { claim: former.claim, claimedUntil: former.claimedUntil } : "absent";
  const write = openMessageEntity.put({ ...queue, ...open }, open, asRead);
  return (await writeAlone<OpenMessage>(write, (stored) => stored.claim === own)) ? open : undefined;
}

/** The write that ends the message. Its condition fails when another worker has claimed the conversation since. */
export const ending = (queue: MessageQueueRef, open: OpenMessage): Write =>
  openMessageEntity.delete({ ...queue, ...open }, { claim: open.claim });

/** The write that ends the claim, with the same condition. The message keeps its id and its events. */
export const releasing = (
  queue: MessageQueueRef,
  open: OpenMessage,
  set: Pick<OpenMessage, "attempts" | "nextAttemptAt" | "countedOn">,
): Write =>
  openMessageEntity.update({ ...queue, ...open }, { set: { ...set, claimedUntil: 0 } }, { claim: open.claim });

/** Ends a claim without a message. */
export async function release(queue: MessageQueueRef, open: OpenMessage): Promise<void> {
  await writeAll([ending(queue, open)]);
}
