// What the channels of a workspace want, as its settings say.
import { type MessageChannel, messageChannels } from "../schema/message-channels.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Setting from "../store/setting.ts";

interface ChannelWishes {
  /** The event types that the channel sends. */
  types: ReadonlySet<string>;
  /** How long what is not personal waits for more, ms. */
  batchMs: number;
}

export type Wishes = Record<MessageChannel, ChannelWishes>;

export async function wishesOf(ref: WorkspaceRef): Promise<Wishes> {
  const { emailEvents, slackEvents, messageBatchSeconds } = await Setting.get(ref, "webhooks");
  const batchMs = messageBatchSeconds * 1_000;
  return { email: { types: new Set(emailEvents), batchMs }, slack: { types: new Set(slackEvents), batchMs } };
}

/** The channels that send events of this type. */
export const channelsFor = (wishes: Wishes, type: string): MessageChannel[] =>
  messageChannels.filter((each) => wishes[each].types.has(type));
