// Why a channel that its workspace has turned off sends nothing, in sentences for the message list.
import type { MessageChannel } from "../schema/message-channels.ts";

export const turnedOff: Readonly<Record<MessageChannel, string>> = {
  email: "The workspace has turned e-mail off: useEmailService of /v2/workspace/emailconfig/update turns it on.",
  slack: "The workspace has turned Slack off: isEnabled of /v2/workspace/slackconfig/update turns it on.",
};
