import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { SlackConfig } from "../../lib/schema/slack.ts";
import { slackConfigOf } from "../../lib/workspace/slack-config.ts";

export const slackconfigGet = endpoint({
  name: "slackconfig-get",
  path: "/v2/workspace/slackconfig/get",
  summary: "Get the Slack configuration",
  description: "Get the Slack configuration, with the bot token masked.",
  settings: ["slack"],
  grants: ["table:read"],
  data: z.object({}),
  reply: SlackConfig,
  message: "Slack configuration retrieved.",

  async handle({ caller }) {
    return slackConfigOf(await caller.setting("slack"));
  },
});
export const handler = readLambda(slackconfigGet);
