import { describe, expect, it } from "vitest";
import { slackconfigGet } from "../../../functions/messages/slackconfig-get.ts";
import { handler, slackconfigUpdate } from "../../../functions/messages/slackconfig-update.ts";
import { purposes } from "../../../lib/secrets.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { logText } from "../../support/capture-logs.ts";
import { storedOf } from "../../support/refusal.ts";
import { unseal } from "../../support/unsealed.ts";
import { callSource, issuesOf, mocked } from "../../support/workspace.ts";

const botToken = "xoxb-1-secret-4711";
const mask = "••••••••";
const seeded = {
  "comment_annotation.add": true,
  "comment.add": true,
  "comment_annotation.status_change": true,
  "comment_annotation.assign": true,
  "comment_annotation.priority_change": true,
  "huddle.create": true,
  "huddle.join": true,
};

const update = (as: Credentials, data: object) => must(slackconfigUpdate, { as, data });
const read = (as: Credentials) => must(slackconfigGet, { as });
const wantedOf = async ({ apiKey }: Credentials) => (await Setting.get({ workspace: apiKey }, "webhooks")).slackEvents;

describe("OK", () => {
  it("is off and empty when it was never set", async () => {
    expect(await read(await newWorkspace())).toEqual({ isEnabled: false, botToken: "", triggers: {} });
  });

  it("sets default triggers when it is enabled for the first time, and later changes only what is given", async () => {
    const as = await newWorkspace();
    const steps: [sent: object, state: object][] = [
      [{ botToken }, { isEnabled: false, botToken: mask, triggers: {} }],
      [{ isEnabled: true }, { isEnabled: true, botToken: mask, triggers: seeded }],
      [
        { triggers: { "comment.add": false, "comment.delete": true } },
        { isEnabled: true, botToken: mask, triggers: { ...seeded, "comment.add": false, "comment.delete": true } },
      ],
      [
        { isEnabled: false, botToken: "" },
        { isEnabled: false, botToken: "", triggers: { ...seeded, "comment.add": false, "comment.delete": true } },
      ],
    ];
    for (const [sent, state] of steps) {
      expect(await update(as, sent)).toEqual(state);
      expect(await read(as)).toEqual(state);
    }
  });

  it("keeps the token when its mask is sent, and takes no mask for a token", async () => {
    const as = await newWorkspace();
    const sealed = async () => (await Setting.get({ workspace: as.apiKey }, "slack")).botTokenSealed;
    const data = { isEnabled: true, botToken: mask };
    expect((await call(slackconfigUpdate, { as, data })).error?.message).toContain("botToken: Is required");
    const reply = await update(as, { ...data, botToken });
    const before = await sealed();
    expect(await update(as, reply)).toEqual(reply);
    expect(await sealed()).toBe(before);
  });

  it("tells the writers of events which of them Slack wants, notifications included", async () => {
    const as = await newWorkspace();
    await update(as, { isEnabled: true, botToken, triggers: { "comment.add": false } });
    const wanted = await wantedOf(as);
    expect(wanted).toEqual(expect.arrayContaining(["comment_annotation.add", "notification.add"]));
    expect(wanted).not.toContain("comment.add");
    await update(as, { isEnabled: false });
    expect(await wantedOf(as)).toEqual([]);
  });

  it("seals the token for its workspace, and neither stores nor logs nor returns it", async () => {
    const as = await newWorkspace();
    const reply = await update(as, { botToken });
    expect(JSON.stringify([await storedOf(as), reply, await read(as)]) + logText()).not.toContain("secret-4711");
    const { botTokenSealed } = await Setting.get({ workspace: as.apiKey }, "slack");
    const context = { workspace: as.apiKey, purpose: purposes.slackBotToken };
    expect(await unseal(botTokenSealed, context)).toBe(botToken);
    await expect(unseal(botTokenSealed, { ...context, workspace: "another" })).rejects.toThrow();
  });

  it("changes only the caller's workspace", async () => {
    const [as, other] = [await newWorkspace(), await newWorkspace()];
    await update(as, { isEnabled: true, botToken });
    expect(await read(other)).toEqual({ isEnabled: false, botToken: "", triggers: {} });
  });
});

describe("INVALID_ARGUMENT", () => {
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`event-${index}`, true]));
  it.each<[string, string, object]>([
    ["nothing to change", "", {}],
    ["a user's token", "botToken", { botToken: "xoxp-1-2" }],
    ["a token with a line break", "botToken", { botToken: "xoxb-1\nX: y" }],
    ["a flag that is a text", "isEnabled", { isEnabled: "true" }],
    ["a trigger that is no flag", "triggers.comment.add", { triggers: { "comment.add": 1 } }],
    ["too many triggers", "triggers", { triggers: many }],
    ["no token while it is on", "botToken", { botToken: "" }],
  ])("is returned for %s, and nothing is changed", async (_, path, data) => {
    const as = await newWorkspace();
    await update(as, { isEnabled: true, botToken });
    const before = await storedOf(as);
    expect(await issuesOf(slackconfigUpdate, as, data)).toEqual([path]);
    expect(await storedOf(as)).toEqual(before);
  });

  it("is returned when it is enabled without a token", async () => {
    expect(await issuesOf(slackconfigUpdate, await newWorkspace(), { isEnabled: true })).toEqual(["botToken"]);
  });
});

describe("AWS calls", () => {
  it("makes one read and one conditional update, with the wanted events", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, slackconfigUpdate, { triggers: { "comment.add": true } });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#slack$/),
      "TransactWrite Update W#w SETTING#slack if {no revision}, Update W#w SETTING#webhooks",
    ]);
    aws.restore();
  });
});
