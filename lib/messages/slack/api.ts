// The methods of Slack's web API that the service calls. Slack answers most failures with HTTP 200, `ok: false` and a
// code.
import { config } from "../../config.ts";
import type { Again } from "../channel.ts";
import { askProvider, isTemporary, type ProviderReply, waitOf } from "../provider.ts";
import { outcomeOfCode } from "./codes.ts";

type Failure = Again | { refusal: string; code?: string };
export type SlackReply = { ok: true; body: Record<string, unknown> } | Failure;

/** `users.lookupByEmail` takes a form, not JSON. */
export function lookUp(token: string, email: string): Promise<SlackReply> {
  const body = new URLSearchParams({ email }).toString();
  return call("users.lookupByEmail", token, "application/x-www-form-urlencoded", body);
}

/**
 * Slack opens the conversation of the app with the user whose id is the channel. It would read formatting, and names of
 * channels and groups, in `text`, which notifications show.
 */
export function post(token: string, userId: string, message: { text: string; blocks: object[] }): Promise<SlackReply> {
  const unparsed = { mrkdwn: false, parse: "none", link_names: false, unfurl_links: false, unfurl_media: false };
  const fields = { channel: userId, ...message, ...unparsed };
  return call("chat.postMessage", token, "application/json; charset=utf-8", JSON.stringify(fields));
}

async function call(method: string, token: string, type: string, body: string): Promise<SlackReply> {
  const url = `${config.slackBaseUrl()}/${method}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
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
