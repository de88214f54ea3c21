// A channel is one way in which messages reach people. Each message goes the same way: the waiting events are loaded,
// checked, rendered and sent, and the result is recorded (`deliver.ts`). A channel says only how its workspace sends.
import { hash } from "node:crypto";
import { type MessageChannel, messageChannels } from "../schema/message-channels.ts";
import { type Job, newJob } from "../store/job.ts";
import type { DueQueue } from "../store/messages/waiting-message.ts";
import type { UserRef, WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";
import type { MessageContent } from "./message-content.ts";

export interface Channel {
  name: MessageChannel;
  /** How the workspace sends now. `problem`: why it cannot, in a sentence for the message list. */
  senderOf(ref: WorkspaceRef): Promise<Sender | { problem: string }>;
}

export interface Sender {
  /** The address of a user. `problem`: the channel cannot reach the user. */
  addressOf(user: Addressee): Promise<{ address: string } | { problem: string } | Again>;
  /** Renders and sends. It throws for nothing that the provider does. `isWanted`: asked before a request is repeated. */
  send(message: MessageContent, address: string, isWanted?: () => Promise<boolean>): Promise<Outcome>;
}

export interface Addressee extends UserRef {
  /** The address in the user's profile. */
  email: string;
}

export type Outcome = { isSent: true } | Again | { refusal: string };

/** Not sent, but it can be sent later. `afterMs`: how long the provider asks to wait. */
export interface Again {
  again: string;
  afterMs?: number | undefined;
}

/** The job that sends a queue of messages. Its id is a hash of the queue's name, so a queue has one such job. */
export function messageJob({ workspace, channel, shard, dueAt }: DueQueue): Job {
  const id = `message-${hash("sha256", JSON.stringify([workspace, channel, shard]), "base64url")}`;
  return { ...newJob("message", workspace, { channel, shard }), id, dueAt };
}

interface ChannelWishes {
  /** The event types that the channel sends. */
  types: ReadonlySet<string>;
  /** How long a message that is not personal waits for more events, ms. */
  batchMs: number;
}

export type Wishes = Record<MessageChannel, ChannelWishes>;

/** The event types that the channels of a workspace send, by its settings. */
export async function wishesOf(ref: WorkspaceRef): Promise<Wishes> {
  const { emailEvents, slackEvents, messageBatchSeconds } = await Setting.get(ref, "webhooks");
  const batchMs = messageBatchSeconds * 1_000;
  return { email: { types: new Set(emailEvents), batchMs }, slack: { types: new Set(slackEvents), batchMs } };
}

/** The channels that send events of this type. */
export const channelsFor = (wishes: Wishes, type: string): MessageChannel[] =>
  messageChannels.filter((each) => wishes[each].types.has(type));
