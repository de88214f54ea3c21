// The methods of Slack's web API that the service calls. Slack answers most failures with HTTP 200, `ok: false` and a
// code.
import { config } from "../../config.ts";
import type { Secret } from "../../secret.ts";
import { askProvider, isTemporary, type ProviderReply, waitOf } from "../ask-provider.ts";
import type { Again } from "../channel.ts";

type Failure = Again | { refusal: string; code?: string };
export type SlackReply = { ok: true; body: Record<string, unknown> } | Failure;

/** `users.lookupByEmail` takes a form, not JSON. */
export function lookUp(token: Secret, email: string): Promise<SlackReply> {
  const body = new URLSearchParams({ email }).toString();
  return call("users.lookupByEmail", token, "application/x-www-form-urlencoded", body);
}

/**
 * Slack opens the conversation of the app with the user whose id is the channel. Notifications show `text`. By default,
 * Slack would parse formatting, and names of channels and groups, in it.
 */
export function post(token: Secret, userId: string, message: { text: string; blocks: object[] }): Promise<SlackReply> {
  const unparsed = { mrkdwn: false, parse: "none", link_names: false, unfurl_links: false, unfurl_media: false };
  const fields = { channel: userId, ...message, ...unparsed };
  return call("chat.postMessage", token, "application/json; charset=utf-8", JSON.stringify(fields));
}

async function call(method: string, token: Secret, type: string, body: string): Promise<SlackReply> {
  const url = `${config.slackBaseUrl()}/${method}`;
  const headers = { authorization: `Bearer ${token.reveal()}`, "content-type": type };
  const reply = await askProvider({ provider: "Slack", url, headers, body });
  return "status" in reply ? resultOf(reply) : reply;
}

function resultOf(reply: ProviderReply): SlackReply {
  const { status, body } = reply;
  if (status === 429) return { again: "Slack takes no more requests of this app now.", ...waitOf(reply) };
  if (isTemporary(status)) return { again: `Slack has an error (HTTP ${status}).`, ...waitOf(reply) };
  const fields = Object(body) as Record<string, unknown>;
  if (status < 200 || status >= 300) return { refusal: `Slack refused the request (HTTP ${status}).` };
  if (fields.ok === true) return { ok: true, body: fields };
  if (fields.ok !== false) return { again: "Slack's answer could not be understood." };
  const code = String(fields.error);
  return { ...outcomeOfCode(code), ...waitOf(reply), code };
}

const checkToken = "check the botToken";

/** The meaning of Slack's failure codes, for readers of the message list. */
const refusals: Readonly<Record<string, string>> = {
  invalid_auth: `Slack does not know the token: ${checkToken}.`,
  not_authed: `Slack got no token: ${checkToken}.`,
  account_inactive: `The app was removed from the Slack workspace, or its account deactivated: ${checkToken}.`,
  token_revoked: `The token was revoked in Slack: ${checkToken}.`,
  token_expired: `The token has expired in Slack: ${checkToken}.`,
  not_allowed_token_type: `Slack does not take a token of this kind: ${checkToken}.`,
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
