// The Slack configuration: computes the changes of an update, and builds the reply.
import { invalidField } from "../errors.ts";
import { mask } from "../schema/header-value.ts";
import { sentTypes, triggersSeeded } from "../schema/interest.ts";
import type { SlackChange, SlackConfig } from "../schema/slack.ts";
import { areTooMany, tooManyTriggers } from "../schema/triggers.ts";
import { purposes, seal } from "../secrets.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { SlackSetting } from "../store/setting.ts";

/** The sealed token to store. An empty token stays empty. */
export async function sealBotToken({ workspace }: WorkspaceRef, token: string): Promise<string> {
  return token && seal(token, { workspace, purpose: purposes.slackBotToken });
}

const triggersOf = ({ triggersJson }: SlackSetting): Record<string, boolean> => JSON.parse(triggersJson);

/**
 * Returns the fields to change. The first enabling sets default triggers. Throws INVALID_ARGUMENT if the configuration
 * would be inconsistent after it. `botTokenSealed`: the sealed token of the request, if it has one.
 */
export function slackChanges(
  stored: SlackSetting,
  { isEnabled, triggers }: SlackChange,
  botTokenSealed: string | undefined,
): Partial<SlackSetting> {
  const storedTriggers = triggersOf(stored);
  const isFirst = isEnabled === true && Object.keys(storedTriggers).length === 0;
  const merged = { ...storedTriggers, ...(isFirst && triggersSeeded), ...triggers };
  const changes = {
    ...(isEnabled !== undefined && { isEnabled }),
    ...(botTokenSealed !== undefined && { botTokenSealed }),
    ...((isFirst || triggers) && { triggersJson: JSON.stringify(merged) }),
  };
  const next = { ...stored, ...changes };
  if (next.isEnabled && next.botTokenSealed === "") throw invalidField(["botToken"], "Is required while Slack is on.");
  if (areTooMany(Object.keys(triggersOf(next)).length)) throw invalidField(["triggers"], tooManyTriggers);
  return changes;
}

/** The event types that cause Slack messages. */
export const toldInSlack = (setting: SlackSetting) => ({
  slackEvents: setting.isEnabled ? sentTypes(triggersOf(setting)) : [],
});

/** The reply of the get and the update endpoint. */
export function slackConfigOf(setting: SlackSetting): SlackConfig {
  const { isEnabled, botTokenSealed } = setting;
  return { isEnabled, botToken: botTokenSealed && mask, triggers: triggersOf(setting) };
}
