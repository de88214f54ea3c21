import type { MessageChannel } from "../schema/message-channels.ts";
import type { Channel } from "./channel.ts";

const unset = (name: MessageChannel): Channel => ({ name, senderOf: async () => ({ problem: "No sender is set." }) });

export const channels: Readonly<Record<MessageChannel, Channel>> = { email: unset("email"), slack: unset("slack") };
