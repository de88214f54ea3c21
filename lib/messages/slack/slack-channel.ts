// Slack: the workspace's own app writes to each user directly.
import type { Secret } from "../../secret.ts";
import { purposes, unseal } from "../../secrets.ts";
import * as SlackUser from "../../store/messages/slack-user.ts";
import * as Setting from "../../store/setting.ts";
import type { Addressee, Channel, Outcome } from "../channel.ts";
import { slackProblem } from "../problems.ts";
import { renderSlack } from "../render/slack.ts";
import { lookUp, post, type SlackReply } from "./api.ts";

export const slackChannel: Channel = {
  name: "slack",
  async senderOf({ workspace }) {
    const setting = await Setting.get({ workspace }, "slack");
    const problem = slackProblem(setting);
    if (problem !== undefined) return { problem };
    const token = await unseal(setting.botTokenSealed, { workspace, purpose: purposes.slackBotToken });
    return {
      addressOf: (user) => slackUserOf(token, user),
      send: async (message, slackUserId) => outcomeOf(await post(token, slackUserId, renderSlack(message))),
    };
  },
};

const unknown = { problem: "Slack has no user with the user's e-mail address." };

async function slackUserOf(token: Secret, user: Addressee) {
  const lookup = SlackUser.lookupOf(token.reveal(), user.email);
  const known = await SlackUser.get(user, lookup);
  if (known) return known.slackUserId === undefined ? unknown : { address: known.slackUserId };
  const reply = await lookUp(token, user.email);
  if ("again" in reply) return reply;
  if ("ok" in reply) {
    const slackUserId = idIn(reply);
    if (slackUserId === undefined) return { again: "Slack's answer could not be understood." };
    await SlackUser.keep(user, lookup, slackUserId);
    return { address: slackUserId };
  }
  if (reply.code !== "users_not_found") return { problem: reply.refusal };
  await SlackUser.keep(user, lookup, undefined);
  return unknown;
}

function idIn({ body }: Extract<SlackReply, { ok: true }>): string | undefined {
  const { id } = Object(body.user) as { id?: unknown };
  return typeof id === "string" && /^[A-Z0-9]{2,32}$/.test(id) ? id : undefined;
}

function outcomeOf(reply: SlackReply): Outcome {
  if ("ok" in reply) return { isSent: true };
  return "again" in reply ? reply : { refusal: reply.refusal };
}
