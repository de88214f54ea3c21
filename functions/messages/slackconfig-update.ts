import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { unmasked } from "../../lib/schema/header-value.ts";
import { SlackChange, SlackConfig } from "../../lib/schema/slack.ts";
import * as Setting from "../../lib/store/setting.ts";
import { sealBotToken, slackChanges, slackConfigOf, toldInSlack } from "../../lib/workspace/slack-config.ts";

export const slackconfigUpdate = endpoint({
  name: "slackconfig-update",
  path: "/v2/workspace/slackconfig/update",
  summary: "Update the Slack configuration",
  description: "Update the Slack configuration. Enabling Slack for the first time sets default triggers.",
  settings: ["slack"],
  grants: ["table:read", "table:write", "key:seal:slack-bot-token"],
  data: SlackChange,
  example: { isEnabled: false, triggers: { "comment.add": false } },
  reply: SlackConfig,
  message: "Slack configuration updated.",

  async handle({ data, caller }) {
    const stored = await caller.setting("slack");
    const botToken = unmasked(data.botToken);
    const sealed = botToken === undefined ? undefined : await sealBotToken(caller.ref, botToken);
    const decide = (each: Setting.SlackSetting) => slackChanges(each, data, sealed);
    return slackConfigOf(await Setting.change(caller.ref, "slack", stored, decide, toldInSlack));
  },
});
export const handler = lambda(slackconfigUpdate);
