// Why a channel cannot send with its present settings, in sentences for the list of messages.
import { config } from "../config.ts";
import type { MessageChannel } from "../schema/message-channels.ts";
import type { EmailSetting, SlackSetting } from "../store/setting.ts";

export const turnedOff: Readonly<Record<MessageChannel, string>> = {
  email: "The workspace has turned e-mail off: useEmailService of /v2/workspace/emailconfig/update turns it on.",
  slack: "The workspace has turned Slack off: isEnabled of /v2/workspace/slackconfig/update turns it on.",
};

/** Whether e-mails go through the workspace's own account, not through the deployment's sender. */
export const hasOwnProvider = ({ type, apiKeySealed }: EmailSetting) => type === "external" || apiKeySealed !== "";

/** Undefined: nothing prevents sending. */
export function emailProblem(setting: EmailSetting): string | undefined {
  const { useEmailService, apiKeySealed, fromEmail } = setting;
  if (!useEmailService) return turnedOff.email;
  if (!hasOwnProvider(setting))
    return config.emailFrom() === undefined
      ? "This deployment has no sender for e-mail: its setting emailFrom is not set."
      : undefined;
  if (apiKeySealed === "") return "The e-mail configuration has no apiKey for the external service.";
  if (fromEmail === "") return "The e-mail configuration has no fromEmail, which the external service needs.";
  return undefined;
}

/** Undefined: nothing prevents sending. */
export function slackProblem({ isEnabled, botTokenSealed }: SlackSetting): string | undefined {
  if (!isEnabled) return turnedOff.slack;
  return botTokenSealed === "" ? "The Slack configuration has no botToken." : undefined;
}
