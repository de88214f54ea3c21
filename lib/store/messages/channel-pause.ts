// A channel of a workspace whose provider does not work now, or asks to wait (DECISIONS.md#attempts-of-messages).
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import type { MessageChannel } from "../../schema/message-channels.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

export interface ChannelPause {
  /** No worker asks the provider before this time; ms since the epoch. */
  until: number;
  /** Since when no message was sent, ms since the epoch. */
  failingSince: number;
  /** Why, in a sentence for the message list. */
  error: string;
}

export type ChannelRef = WorkspaceRef & { channel: MessageChannel };

export const channelPauseEntity = entity<ChannelPause>()({
  name: "channel-pause",
  attributes: ["until", "failingSince", "error"],
  pk: ({ channel, ...ref }: ChannelRef) => `${workspacePartition(ref)}#M#${channel}`,
  sk: () => "PAUSE",
});

export async function get(ref: ChannelRef): Promise<ChannelPause | undefined> {
  return Table.get<ChannelPause>(channelPauseEntity.key(ref));
}

/** Pauses the channel. Returns false when the pause is no longer as it was read: another worker has changed it. */
export async function set(ref: ChannelRef, former: ChannelPause | undefined, to: ChannelPause): Promise<boolean> {
  return writeAll([channelPauseEntity.put(ref, to, asRead(former))]);
}

/** Ends a pause as it was read. */
export async function end(ref: ChannelRef, former: ChannelPause): Promise<void> {
  await writeAll([channelPauseEntity.delete(ref, asRead(former))]);
}

const asRead = (pause: ChannelPause | undefined) => (pause ? { until: pause.until } : ("absent" as const));
