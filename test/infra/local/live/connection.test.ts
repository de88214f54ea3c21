import { beforeEach, describe, expect, test, vi } from "vitest";
import type { AuthorizerEvent } from "../../../../infra/local/live/authorization.ts";
import type { Realtime } from "../../../../infra/local/live/connection.ts";
import { liveInMemory } from "../../../support/local/live.ts";
import { turns, untilHolds } from "../../../support/turns.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  return () => void vi.useRealTimers();
});

const errorOf = (errorType: string) => expect.arrayContaining([expect.objectContaining({ errorType })]);

describe("a connection", () => {
  test("is acknowledged, and kept alive once a minute for 24 hours", async () => {
    const client = liveInMemory().client();
    expect(await client.say({ type: "connection_init" })).toEqual([
      { type: "connection_ack", connectionTimeoutMs: 300_000 },
    ]);
    vi.advanceTimersByTime(120_000);
    expect(client.got.slice(1)).toEqual([{ type: "ka" }, { type: "ka" }]);
    vi.advanceTimersByTime(86_279_999);
    expect(client.ended).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(client.ended).toBe("1001");
    const count = client.got.length;
    vi.advanceTimersByTime(60_000);
    expect(client.got).toHaveLength(count);
  });

  test("needs no connection_init", async () => {
    expect(await liveInMemory().client().subscribe("s", "doc/a")).toEqual([{ type: "subscribe_success", id: "s" }]);
  });

  test("is refused by a message, and answers no more", async () => {
    const live = liveInMemory({ authorizer: async () => ({ isAuthorized: false }) });
    const client = live.client();
    await turns(2);
    expect(client.got).toEqual([{ type: "connection_error", errors: errorOf("UnauthorizedException") }]);
    expect(client.ended).toBe("1008");
    expect(await client.say({ type: "connection_init" })).toEqual([]);
  });

  test.each([["no token", {}, "UnauthorizedException"]])("is refused with %s", async (_, headers, errorType) => {
    const client = liveInMemory().client(headers);
    await turns(2);
    expect(client.got).toEqual([{ type: "connection_error", errors: errorOf(errorType) }]);
  });

  test.each([
    ["text that is not JSON", "{", undefined],
    ["JSON that is no object", "7", undefined],
    ["no type", { id: "x" }, "x"],
    ["an unknown type", { type: "start", id: "x" }, "x"],
    ["a type of JavaScript's own", { type: "constructor", id: "x" }, "x"],
  ])("answers %s with an error, and goes on", async (_, message, id) => {
    const client = liveInMemory().client();
    const answer = { type: "error", ...(id && { id }), errors: errorOf("UnsupportedOperation") };
    expect(await client.say(message)).toEqual([answer]);
    expect(await client.say({ type: "connection_init" })).toHaveLength(1);
  });

  test("ends when more than 1,000 messages wait", async () => {
    const client = liveInMemory({ authorizer: () => new Promise(() => {}) }).client();
    for (let count = 0; count < 1_000; count++) void client.say({ type: "connection_init" });
    expect(client.ended).toBeUndefined();
    void client.say({ type: "connection_init" });
    expect(client.ended).toBe("terminated");
  });
});

describe("a subscription", () => {
  test("hears each event of its channel as it was published, until it ends", async () => {
    const live = liveInMemory();
    const [first, second] = [live.client(), live.client()];
    await first.subscribe("a", "doc/x");
    await first.subscribe("b", "/doc/x/");
    await second.subscribe("a", "/doc/x");
    await first.subscribe("other", "/doc/y");
    await live.publish("doc/x", '{ "n": 1.0 }', "2");
    expect(await first.say({ type: "unsubscribe", id: "a" })).toEqual([{ type: "unsubscribe_success", id: "a" }]);
    await live.publish("/doc/x", '"three"');
    expect(first.heard("a")).toEqual(['{ "n": 1.0 }', "2"]);
    expect(first.heard("b")).toEqual(['{ "n": 1.0 }', "2", '"three"']);
    expect(second.heard("a")).toEqual(['{ "n": 1.0 }', "2", '"three"']);
    expect(first.heard("other")).toEqual([]);
  });

  test("that is not known cannot end, and an id cannot be used twice", async () => {
    const client = liveInMemory().client();
    expect(await client.say({ type: "unsubscribe", id: "s" })).toEqual([
      {
        type: "unsubscribe_error",
        id: "s",
        errors: [{ errorType: "UnknownOperationError", message: "Unknown operation id s" }],
      },
    ]);
    await client.subscribe("s", "doc/a");
    expect(await client.subscribe("s", "doc/b")).toMatchObject([
      { type: "subscribe_error", id: "s", errors: [{ errorType: "DuplicatedOperationError" }] },
    ]);
  });

  test("is one of at most 100", async () => {
    const client = liveInMemory().client();
    for (let count = 0; count < 100; count++) await client.subscribe(`s${count}`, `doc/c${count}`);
    const refused = [{ type: "subscribe_error", errors: [{ errorType: "MaxSubscriptionsReachedError" }] }];
    expect(await client.subscribe("more", "doc/a")).toMatchObject(refused);
    await client.say({ type: "unsubscribe", id: "s0" });
    expect(await client.subscribe("more", "doc/a")).toEqual([{ type: "subscribe_success", id: "more" }]);
  });

  test.each([undefined, 7, "", "a b", "x".repeat(129)])("needs a proper id, not %s", async (id) => {
    const client = liveInMemory().client();
    const message = { type: "subscribe", id, channel: "doc/a", authorization: { Authorization: "t" } };
    expect(await client.say(message)).toMatchObject([
      { type: "subscribe_error", errors: [{ errorType: "BadRequestException" }] },
    ]);
  });

  test("of a client that does not read ends its connection, and others hear on", async () => {
    const live = liveInMemory();
    const [slow, quick] = [live.client(), live.client()];
    for (const each of [slow, quick]) await each.subscribe("s", "doc/a");
    slow.bufferedAmount = 4 * 1_024 * 1_024;
    await live.publish("doc/a", "1");
    expect(slow.ended).toBeUndefined();
    slow.bufferedAmount += 1;
    await live.publish("doc/a", "2", "3");
    expect(slow.ended).toBe("terminated");
    expect([slow.heard("s"), quick.heard("s")]).toEqual([["1"], ["1", "2", "3"]]);
  });

  test("that has ended, alone or with its connection, is passed no event", async () => {
    const pass = vi.fn<Realtime["pass"]>();
    const live = liveInMemory({ pass });
    const [alone, closed] = [live.client(), live.client()];
    for (const each of [alone, closed]) await each.subscribe("s", "doc/a");
    await alone.say({ type: "unsubscribe", id: "s" });
    closed.close(1000);
    await live.publish("doc/a", "1");
    expect(pass).not.toHaveBeenCalled();
  });

  test("that has ended gets no late event, nor does a later one of the same id", async () => {
    const late: (() => void)[] = [];
    const live = liveInMemory({ pass: (hear) => late.push(hear) });
    const client = live.client();
    await client.subscribe("s", "doc/a");
    await live.publish("doc/a", "1");
    await client.say({ type: "unsubscribe", id: "s" });
    await client.subscribe("s", "doc/b");
    for (const hear of late) hear();
    expect(client.heard("s")).toEqual([]);
  });

  test("or publication that is allowed after the end of its connection has no effect there", async () => {
    const waiting: (() => void)[] = [];
    const pass = vi.fn<Realtime["pass"]>();
    const authorizer = ({ requestContext: { operation } }: AuthorizerEvent) =>
      new Promise((resolve) => {
        const allow = () => resolve({ isAuthorized: true });
        if (operation === "EVENT_CONNECT") allow();
        else waiting.push(allow);
      });
    const live = liveInMemory({ authorizer, pass });
    const clients = [live.client(), live.client()];
    const answers = [clients[0]?.subscribe("s", "doc/a"), clients[1]?.publish("aware/a", ["1"])];
    await untilHolds(() => waiting.length === 2);
    for (const each of clients) each.close(1000);
    for (const allow of waiting) allow();
    expect(await Promise.all(answers)).toEqual([[], []]);
    await live.publish("doc/a", "1");
    expect(pass).not.toHaveBeenCalled();
  });
});
