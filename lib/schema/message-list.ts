// Wire shape of an e-mail or Slack message in the list of messages.
import * as z from "zod/mini";
import { messageChannels } from "./message-channels.ts";
import { Moment } from "./moment.ts";
import { Id, IsoTime, optional } from "./primitives.ts";

/**
 * `waiting`: it is sent again or later. `sent`: the provider has accepted it. `failed`: the provider has refused it, or
 * it was tried for a day. `omitted`: what it was about is gone, or the user may not read it or does not want it.
 * `digest`: it exceeds the limit of its address, and is a part of the next digest, which is a message of its own.
 */
export const messageStates = ["waiting", "sent", "failed", "omitted", "digest"] as const;
export type MessageState = (typeof messageStates)[number];

export const MessageFilters = {
  channel: optional(z.enum(messageChannels, 'Must be "email" or "slack".')),
  state: optional(z.enum(messageStates, `Must be one of: ${messageStates.join(", ")}.`)),
  organizationId: optional(Id.check(z.describe("Needed with userId or documentId."))),
  userId: optional(Id),
  documentId: optional(Id),
  after: optional(Moment.check(z.describe("Only messages whose first event happened at this time or later."))),
  before: optional(Moment.check(z.describe("Only messages whose first event happened before this time."))),
};

export const ChannelState = z.object({
  channel: z.enum(messageChannels),
  isSending: z.boolean(),
  problem: z.nullable(z.string()),
  pausedUntil: z.nullable(IsoTime),
});
export type ChannelState = z.output<typeof ChannelState>;

export const MessageEntry = z.object({
  messageId: z.string().check(z.describe("Also in the Message-ID of an e-mail.")),
  channel: z.enum(messageChannels),
  organizationId: z.nullable(z.string()),
  documentId: z.nullable(z.string()),
  userId: z.nullable(z.string()),
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
  attempts: z.int(),
  lastAttemptAt: z.nullable(IsoTime),
  nextAttemptAt: z.nullable(IsoTime),
  error: z.nullable(z.string()),
  causedBy: z.nullable(z.string()),
});
export type MessageEntry = z.output<typeof MessageEntry>;
