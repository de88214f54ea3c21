// Wire shapes of the Slack configuration.
import * as z from "zod/mini";
import { Flag, matching, optional } from "./primitives.ts";
import { EventTriggers } from "./triggers.ts";
import { whenValid } from "./when-valid.ts";

const BotToken = matching(
  /^(?:xoxb-[A-Za-z0-9-]+|•{8})?$/,
  512,
  "Must be the token of a Slack app's bot, which begins with xoxb-, or empty.",
).check(
  z.describe(
    "The bot token of your Slack app, with the scopes chat:write, users:read and users:read.email. Stored encrypted, returned masked. The mask keeps it, an empty string removes it.",
  ),
);

const IsEnabled = Flag.check(
  z.describe("true: users get Slack messages. The first time also sets the default triggers, those of e-mail."),
);

export const SlackChange = z
  .object({ isEnabled: optional(IsEnabled), botToken: optional(BotToken), triggers: optional(EventTriggers) })
  .check(
    z.refine(
      ({ isEnabled, botToken, triggers }) =>
        isEnabled !== undefined || botToken !== undefined || triggers !== undefined,
      {
        error: "Give isEnabled, botToken or triggers.",
        when: whenValid("isEnabled", "botToken", "triggers"),
      },
    ),
  );
export type SlackChange = z.output<typeof SlackChange>;

export const SlackConfig = z.object({
  isEnabled: z.boolean().check(z.describe("Whether users get Slack messages.")),
  botToken: z.string().check(z.describe("The bot token, masked. Empty: none.")),
  triggers: EventTriggers,
});
export type SlackConfig = z.output<typeof SlackConfig>;
