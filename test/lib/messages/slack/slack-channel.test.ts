import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { slackconfigUpdate } from "../../../../functions/messages/slackconfig-update.ts";
import type { Sender } from "../../../../lib/messages/channel.ts";
import { slackChannel } from "../../../../lib/messages/slack/slack-channel.ts";
import { slackUserEntity } from "../../../../lib/store/messages/slack-user.ts";
import { must, newWorkspace } from "../../../support/call.ts";
import { itemsOf } from "../../../support/scan.ts";
import { answerAs, message, slackForTest } from "../../../support/senders.ts";

const botToken = "xoxb-secret-4711";
const email = "bob@example.org";

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const later = (seconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1_000 });

async function newSender(data: object = {}) {
  const as = await newWorkspace();
  await must(slackconfigUpdate, { as, data: { isEnabled: true, botToken, ...data } });
  const user = { workspace: as.apiKey, organizationId: "o", userId: "bob", email };
  const sender = async () => (await slackChannel.senderOf({ workspace: as.apiKey })) as Sender;
  return { as, user, sender: await sender(), sender2: sender };
}

test("finds the user by e-mail, and posts without previews of links", async () => {
  const { messages, calls } = await slackForTest();
  const { sender, user } = await newSender();
  const found = (await sender.addressOf(user)) as { address: string };
  expect(await sender.send(message, found.address)).toEqual({ isSent: true });
  expect(messages).toEqual([
    expect.objectContaining({
      ...{ channel: found.address, unfurl_links: false, unfurl_media: false },
      ...{ mrkdwn: false, parse: "none", link_names: false },
    }),
  ]);
  expect(calls).toEqual(["users.lookupByEmail", "chat.postMessage"]);
});

describe("the Slack user is kept", () => {
  test("a day, and only for the same token and address", async () => {
    const { calls } = await slackForTest();
    const { as, sender, sender2, user } = await newSender();
    const first = await sender.addressOf(user);
    later(23 * 3_600);
    expect(await sender.addressOf(user)).toEqual(first);
    expect(calls).toHaveLength(1);
    await sender.addressOf({ ...user, email: "robert@example.org" });
    expect(calls).toHaveLength(2);
    vi.useRealTimers();
    await must(slackconfigUpdate, { as, data: { botToken: "xoxb-other" } });
    await (await sender2()).addressOf({ ...user, email: "robert@example.org" });
    expect(calls).toHaveLength(3);
    later(25 * 3_600);
    await (await sender2()).addressOf({ ...user, email: "robert@example.org" });
    expect(calls).toHaveLength(4);
  });

  test("without the address or the token", async () => {
    await slackForTest();
    const { sender, user } = await newSender();
    await sender.addressOf(user);
    const items = (await itemsOf(user.workspace)).filter((item) => item.entity === slackUserEntity.name);
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toMatch(/bob@|xoxb/);
  });

  test("and that there is none for an hour", async () => {
    const { calls } = await slackForTest({ isMember: () => false });
    const { sender, user } = await newSender();
    const unknown = { problem: expect.stringContaining("no user") };
    expect(await sender.addressOf(user)).toEqual(unknown);
    expect(await sender.addressOf(user)).toEqual(unknown);
    expect(calls).toHaveLength(1);
    later(3_700);
    expect(await sender.addressOf(user)).toEqual(unknown);
    expect(calls).toHaveLength(2);
  });
});

describe("a failure of Slack", () => {
  const answered = async (status: number, body: string, headers: Record<string, string> = {}) => {
    const { sender, user } = await newSender();
    await answerAs("SLACK", (response) => void response.writeHead(status, headers).end(body));
    return [await sender.addressOf(user), await sender.send(message, "U1")];
  };

  test.each([
    [429, '{"ok":false,"error":"ratelimited"}', { "retry-after": "30" }, 30_000],
    [200, '{"ok":false,"error":"ratelimited"}', { "retry-after": "7" }, 7_000],
    [500, "<html>", {}, undefined],
    [200, '{"ok":false,"error":"fatal_error"}', {}, undefined],
    [200, "no JSON", {}, undefined],
  ])("HTTP %i with %s is tried again", async (status, body, headers, afterMs) => {
    const expected = expect.objectContaining({ again: expect.stringMatching(/\.$/), ...(afterMs && { afterMs }) });
    expect(await answered(status, body, headers as Record<string, string>)).toEqual([expected, expected]);
  });

  test.each([
    "invalid_auth",
    "account_inactive",
    "channel_not_found",
    "not_in_channel",
    "msg_too_long",
    "missing_scope",
    "a_new_code",
    "bob@example.org xoxb-secret-4711",
    "constructor",
  ])("%s is a refusal, in a sentence", async (error) => {
    const [found, sent] = await answered(200, JSON.stringify({ ok: false, error }));
    expect(found).toEqual({ problem: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(sent).toEqual({ refusal: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(JSON.stringify([found, sent])).not.toMatch(/bob@|xoxb/);
  });

  test("in the look-up is not kept", async () => {
    const { sender, user } = await newSender();
    await answerAs("SLACK", (response) => void response.end('{"ok":false,"error":"invalid_auth"}'));
    await sender.addressOf(user);
    const { calls } = await slackForTest();
    expect(await sender.addressOf(user)).toEqual({ address: expect.any(String) });
    expect(calls).toHaveLength(1);
  });
});

test("Slack that is off sends nothing", async () => {
  const as = await newWorkspace();
  expect(await slackChannel.senderOf({ workspace: as.apiKey })).toEqual({ problem: expect.stringContaining("off") });
});
