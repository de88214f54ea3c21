import type { MessageChannel } from "../schema/message-channels.ts";
import type { Channel } from "./channel.ts";
import { emailChannel } from "./email/email-channel.ts";
import { slackChannel } from "./slack/slack-channel.ts";

export const channels: Readonly<Record<MessageChannel, Channel>> = { email: emailChannel, slack: slackChannel };
