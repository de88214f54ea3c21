// Wire shape of an e-mail or Slack message in the list of messages.
import * as z from "zod/mini";
import { messageChannels } from "./message-channels.ts";
import { Moment, momentForms } from "./moment.ts";
import { Id, IsoTime, optional } from "./primitives.ts";

/**
 * `waiting`: it is sent again or later. `sent`: the provider has accepted it. `failed`: the provider has refused it, or
 * it was tried for a day. `omitted`: its content is gone, or the user may not read it or does not want it. `digest`: it
 * exceeds the daily limit of its address. The next digest, a message of its own, has it.
 */
export const messageStates = ["waiting", "sent", "failed", "omitted", "digest"] as const;
export type MessageState = (typeof messageStates)[number];

export const MessageFilters = {
  channel: optional(z.enum(messageChannels, 'Must be "email" or "slack".')).check(
    z.describe("Only messages by this channel. Absent: both."),
  ),
  state: optional(z.enum(messageStates, `Must be one of: ${messageStates.join(", ")}.`)).check(
    z.describe("Only messages in this state. Absent: all."),
  ),
  organizationId: optional(Id.check(z.describe("Needed with userId or documentId."))),
  userId: optional(Id).check(z.describe("Only messages to this user.")),
  documentId: optional(Id).check(z.describe("Only messages about this document.")),
  after: optional(
    Moment.check(z.describe(`Only messages whose first event happened from this time on: ${momentForms}.`)),
  ),
  before: optional(Moment.check(z.describe(`Only messages whose first event happened before this: ${momentForms}.`))),
};

export const ChannelState = z.object({
  channel: z.enum(messageChannels).check(z.describe("How messages are sent.")),
  isSending: z.boolean().check(z.describe("Whether messages leave by this channel now.")),
  problem: z
    .nullable(z.string())
    .check(
      z.describe("Why the channel does not send. While it sends: what was wrong at the last attempt. null: nothing."),
    ),
  pausedUntil: z
    .nullable(IsoTime)
    .check(z.describe("The provider did not work, and is tried again at this time. null: it is not paused.")),
});
export type ChannelState = z.output<typeof ChannelState>;

export const MessageEntry = z.object({
  messageId: z.string().check(z.describe("Also in the Message-ID of an e-mail.")),
  channel: z.enum(messageChannels).check(z.describe("How messages are sent.")),
  organizationId: z.nullable(z.string()).check(z.describe("The organization. null: a test mail.")),
  documentId: z
    .nullable(z.string())
    .check(z.describe("The document. null: a digest of several documents, a deleted document, or a test mail.")),
  userId: z.nullable(z.string()).check(z.describe("The user who gets it. null: a test mail.")),
  events: z.array(z.string()).check(z.describe("The types of its events, each once.")),
  createdAt: IsoTime.check(z.describe("When the first of its events happened.")),
  state: z
    .enum(messageStates)
    .check(
      z.describe(
        "waiting: it is sent at nextAttemptAt. sent: the provider has accepted it. failed: it was refused, or tried " +
          "for a day. omitted: what it was about is gone, or the user may not read it or does not want it. digest: it " +
          "exceeds the daily limit of its address, and is in the next digest, which is a message of its own.",
      ),
    ),
  attempts: z.int().check(z.describe("How many attempts were made.")),
  lastAttemptAt: z.nullable(IsoTime).check(z.describe("When it was tried last. null: not yet.")),
  nextAttemptAt: z.nullable(IsoTime).check(z.describe("When it is tried next. null: not again.")),
  error: z.nullable(z.string()).check(z.describe("Why it was not sent, or not yet. null: nothing is wrong.")),
  causedBy: z
    .nullable(z.string())
    .check(z.describe("x-request-id of the call that caused its first event. null: no call did.")),
});
export type MessageEntry = z.output<typeof MessageEntry>;
