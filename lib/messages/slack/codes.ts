// What the codes of Slack's failures mean to whoever reads the message list.
import type { Again } from "../channel.ts";

const token = "check the botToken";

const refusals: Readonly<Record<string, string>> = {
  invalid_auth: `Slack does not know the token: ${token}.`,
  not_authed: `Slack got no token: ${token}.`,
  account_inactive: `The app was removed from the Slack workspace, or its account deactivated: ${token}.`,
  token_revoked: `The token was revoked in Slack: ${token}.`,
  token_expired: `The token has expired in Slack: ${token}.`,
  not_allowed_token_type: `Slack does not take a token of this kind: ${token}.`,
  missing_scope: "The Slack app lacks a scope. It needs chat:write, users:read and users:read.email.",
  no_permission: "The Slack app may not do this.",
  access_denied: "The Slack app may not do this.",
  org_login_required: "The Slack organization is being migrated.",
  restricted_action: "A setting of the Slack workspace forbids the message.",
  users_not_found: "Slack has no user with the user's e-mail address.",
  user_not_found: "Slack has no such user.",
  channel_not_found: "Slack has no conversation with the user.",
  cannot_dm_bot: "The user is a bot, to which the app cannot write.",
  messages_tab_disabled: "The Slack app does not permit messages: turn on its Messages tab.",
  not_in_channel: "The Slack app is not in the conversation.",
  is_archived: "The conversation is archived in Slack.",
  msg_too_long: "The message is too long for Slack.",
  msg_blocks_too_long: "The message is too long for Slack.",
  no_text: "Slack refused the message as empty.",
  invalid_blocks: "Slack refused the layout of the message.",
  invalid_blocks_format: "Slack refused the layout of the message.",
};

const temporary: Readonly<Record<string, string>> = {
  ratelimited: "Slack takes no more requests of this app now.",
  rate_limited: "Slack takes no more requests of this app now.",
  message_limit_exceeded: "Slack takes no more messages of this app now.",
  internal_error: "Slack has an error.",
  fatal_error: "Slack has an error.",
  service_unavailable: "Slack is not available.",
  request_timeout: "Slack did not get the whole request in time.",
  team_added_to_org: "The Slack workspace is being moved into an organization.",
};

export function outcomeOfCode(code: string): Again | { refusal: string } {
  if (Object.hasOwn(temporary, code)) return { again: temporary[code] as string };
  if (Object.hasOwn(refusals, code)) return { refusal: refusals[code] as string };
  // Slack's codes are words. Anything else is not shown.
  return { refusal: /^[a-z_]{1,40}$/.test(code) ? `Slack refused it (${code}).` : "Slack refused it." };
}
