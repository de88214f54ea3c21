// What a page can send to the other pages of a document, and how much.
import { expect, it } from "vitest";
import { liveOpen } from "../../../../functions/live/live-open.ts";
import { onPublish } from "../../../../infra/stack/live/aware-on-publish.js";
import { fakeDates, later } from "../../../support/fake-dates.ts";
import { newLiveWorkspace, newRealtime, type Opened } from "../../../support/live.ts";
import { callAs, tokenOf } from "../../../support/users.ts";

fakeDates(Date.parse("2026-01-31T12:01:00.000Z"));

async function newWorld(userId = "eve", name = "Eve") {
  const realtime = await newRealtime();
  const as = await newLiveWorkspace();
  const open = async (token: string): Promise<Opened> => (await callAs(token, liveOpen, { documentId: "d" })).data;
  const tokens = {
    ann: await tokenOf(as, "ann"),
    eve: await tokenOf(as, userId, "viewer", { userProperties: { name, email: "eve@example.com" } }),
  };
  const [ann, eve] = [await open(tokens.ann), await open(tokens.eve)];
  const page = realtime.connect(eve.ticket);
  const publish = (...texts: string[]) => page.publish(eve.channels.awareness.now, texts);
  return { ...realtime, as, tokens, open, ann, eve, publish, others: await realtime.listenWith(ann) };
}

const person = '{"userId":"ann","name":"The ann"}';

it.each([
  ["a field", `{"user":${person}}`],
  ["fields of a user", person],
  ["nested fields", `{"state":{"user":${person},"state":{"user":${person}}}}`],
  ["an array", `[{"user":${person}}]`],
  ["an array of arrays", `[[${person}]]`],
  ["__proto__", `{"__proto__":{"user":${person}},"constructor":{"prototype":{"user":${person}}}}`],
  ["doubled keys", `{"user":{"userId":"eve"},"user":${person}}`],
  ["an empty stamp", '{"user":{}}'],
  ["a stamp that is null", '{"user":null,"state":null}'],
  ["a text", '"ann"'],
  ["a number", "7"],
  ["null", "null"],
])("a page cannot speak for another user: %s", async (_, text) => {
  const { publish, others } = await newWorld();
  expect(await publish(text)).toBe("publish_success");
  const [heard, ...more] = others.heard();
  expect(more).toEqual([]);
  expect(Object.keys(heard)).toEqual(["user", "state"]);
  expect(heard).toEqual({ user: { userId: "eve", name: "Eve" }, state: JSON.parse(text) });
});

it("a page whose name does not fit into the ticket has none, whatever it says", async () => {
  const { publish, others } = await newWorld("e".repeat(100), "x".repeat(200));
  await publish(`{"user":${person},"name":"The ann"}`);
  expect(others.heard()[0].user).toEqual({ userId: "e".repeat(100) });
});

it("a message without a user goes to nobody", () => {
  const events = [{ id: "1", payload: {} }];
  for (const identity of [undefined, null, {}, { accountId: "1" }])
    expect(() => onPublish({ identity, events } as never)).toThrow(TypeError);
});

const refusal = { code: 400, message: "Send one message of at most 4 KB." };

it.each([
  ["one-byte characters", "x", 4_094],
  ["é of two bytes", "é", 2_047],
  ["語 of three bytes", "語", 1_364],
  ["🦜 of four bytes", "🦜", 1_023],
])("a message of %s has at most 4 KB", async (_, character, count) => {
  const { connect, eve, others } = await newWorld();
  const page = connect(eve.ticket);
  const most = JSON.stringify(character.repeat(count));
  expect(Buffer.byteLength(most)).toBeGreaterThan(4_092);
  expect(Buffer.byteLength(most)).toBeLessThanOrEqual(4_096);
  const { now } = eve.channels.awareness;
  await page.publish(now, [most]);
  expect(others.heard()).toHaveLength(1);
  await page.publish(now, [JSON.stringify(character.repeat(count + 1))]);
  expect(page.client.got.at(-1).failed).toEqual([{ identifier: expect.any(String), index: 0, ...refusal }]);
  expect(others.heard()).toHaveLength(1);
});

it("nobody gets more than 4 KB of what a page says, in whatever characters and whichever JSON", async () => {
  const { eve, connect, others } = await newWorld();
  const { now } = eve.channels.awareness;
  for (const unit of ["x", "é", "語", "🦜", '"', "\\", "\u0000", "\ud800", "\u2028", "[],", "[[]],"]) {
    for (let count = 512; count <= 8_192; count *= 2) {
      await connect(eve.ticket).publish(now, [JSON.stringify(unit.repeat(count))]);
      await connect(eve.ticket).publish(now, [JSON.stringify({ [unit.repeat(count)]: [] })]);
    }
  }
  // Spaces do not count, and are not passed on.
  await connect(eve.ticket).publish(now, [`{${" ".repeat(100_000)}}`]);
  const bytes = others.heard().map(({ state }) => Buffer.byteLength(JSON.stringify(state)));
  expect(bytes.length).toBeGreaterThan(30);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(4_096);
  expect(others.heard().at(-1).state).toEqual({});
});

it("several messages at once are refused, and so is what is no JSON", async () => {
  const { publish, others } = await newWorld();
  expect(await publish("1", "2")).toBe("publish_success");
  expect(await publish("{")).toBe("BadRequestException");
  expect(await publish()).toBe("BadRequestException");
  expect(others.heard()).toEqual([]);
});

it("of 10,000 messages in a second, others get 25", async () => {
  const { publish, others } = await newWorld();
  const outcomes: string[] = [];
  for (let count = 0; count < 10_000; count++) outcomes.push(await publish(String(count)));
  expect(others.heard().map(({ state }) => state)).toEqual(Array.from({ length: 25 }, (_, index) => index));
  expect(new Set(outcomes.slice(25))).toEqual(new Set(["LimitExceededError"]));
  later(1);
  expect(await publish("1")).toBe("publish_success");
});

it("100 connections of one user hear no more than one, and end with the ticket of each", async () => {
  const { listenWith, connect, open, eve, ann, tokens, publish } = await newWorld();
  const pages = await Promise.all(Array.from({ length: 100 }, () => listenWith(eve)));
  for (const page of pages) expect(await page.subscribe(ann.channels.user.now)).toBe("UnauthorizedException");
  await publish("1");
  expect(new Set(pages.map((page) => page.heard().length))).toEqual(new Set([1]));
  // The ticket of each comes from a call, and a user has 50 of them at once.
  const statuses: number[] = [];
  for (let count = 0; count < 100; count++) {
    statuses.push((await callAs(tokens.eve, liveOpen, { documentId: "d" })).status);
  }
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(60);
  expect(statuses.at(-1)).toBe(429);
  expect((await open(tokens.ann)).ticket).toBeDefined();
  later(180);
  const again = pages.map((page) => page.publish(eve.channels.awareness.next, ["1"]));
  expect(new Set(await Promise.all(again))).toEqual(new Set(["UnauthorizedException"]));
  expect(await connect(eve.ticket).subscribe(eve.channels.awareness.next)).toBe("UnauthorizedException");
});
