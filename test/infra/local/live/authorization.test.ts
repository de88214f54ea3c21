import { describe, expect, test, vi } from "vitest";
import { liveInMemory } from "../../../support/local/live.ts";
import { turns } from "../../../support/turns.ts";

const token = { Authorization: "ticket", host: "local" };
const refused = (type: string, errorType = "UnauthorizedException") => [{ type, errors: [{ errorType }] }];
/** Allows connections, and asks the test about everything else. */
const except =
  (decide: (operation: string) => unknown) =>
  async ({ requestContext: { operation } }: { requestContext: { operation: string } }) =>
    operation === "EVENT_CONNECT" ? { isAuthorized: true } : decide(operation);

test("the authorizer gets the events of AWS", async () => {
  const live = liveInMemory();
  const client = live.client({ authorization: "first", host: "local" });
  await client.subscribe("s", "doc/a/b", token);
  await client.publish("/aware/c", ["1"], token);
  const common = { apiId: "local", accountId: "local", requestId: expect.any(String) };
  const requestHeaders = { host: "local" };
  expect(live.asked).toEqual([
    { authorizationToken: "first", requestContext: { ...common, operation: "EVENT_CONNECT" }, requestHeaders },
    {
      authorizationToken: "ticket",
      requestContext: { ...common, operation: "EVENT_SUBSCRIBE", channelNamespaceName: "doc", channel: "/doc/a/b" },
      requestHeaders,
    },
    {
      authorizationToken: "ticket",
      requestContext: { ...common, operation: "EVENT_PUBLISH", channelNamespaceName: "aware", channel: "/aware/c" },
      requestHeaders,
    },
  ]);
});

test.each([
  ["says no", () => ({ isAuthorized: false })],
  ["throws", () => Promise.reject(new Error("own reason"))],
  ["returns nothing", () => undefined],
  ["returns no boolean", () => ({ isAuthorized: "true" })],
  ["returns a context with other things than texts", () => ({ isAuthorized: true, handlerContext: { n: 1 } })],
  ["returns a time above an hour", () => ({ isAuthorized: true, ttlOverride: 3_601 })],
])("an authorizer that %s refuses, and its reason stays here", async (_, decide) => {
  const live = liveInMemory({ authorizer: except(decide) });
  const client = live.client();
  const answers = [...(await client.subscribe("s", "doc/a")), ...(await client.publish("aware/a", ["1"]))];
  expect(answers).toMatchObject([...refused("subscribe_error"), ...refused("publish_error")]);
  expect(JSON.stringify(answers)).not.toContain("own reason");
});

test.each([
  ["no object", undefined],
  ["no token", { host: "local" }],
  ["a signature", { Authorization: "AWS4-HMAC-SHA256 Credential=local" }],
  ["a token that is no text", { Authorization: ["t"] }],
])("a subscription or publication with %s never reaches the authorizer", async (_, authorization) => {
  const live = liveInMemory();
  const client = live.client();
  const message = { id: "s", channel: "aware/a", events: ["1"], authorization };
  expect(await client.say({ type: "subscribe", ...message })).toMatchObject(refused("subscribe_error"));
  expect(await client.say({ type: "publish", ...message })).toMatchObject(refused("publish_error"));
  expect(live.asked).toHaveLength(1);
});

test.each(["doc/a", "user/a"])("a client cannot publish to %s, with whatever token", async (channel) => {
  const live = liveInMemory();
  const client = live.client();
  expect(await client.publish(channel, ["1"])).toMatchObject(refused("publish_error"));
  expect(live.asked).toHaveLength(1);
  await expect(live.publish("aware/a", "1")).rejects.toMatchObject({ type: "UnauthorizedException" });
});

describe("a result", () => {
  test("is kept for the seconds that it says, by token, operation and channel", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const live = liveInMemory({
      authorizer: except((operation) => ({ isAuthorized: operation === "EVENT_SUBSCRIBE", ttlOverride: 2 })),
    });
    const client = live.client();
    let id = 0;
    const subscribe = (channel: string, Authorization = "a") =>
      client.subscribe(`s${id++}`, channel, { Authorization });
    for (const channel of ["aware/a", "/aware/a", "aware/a"]) await subscribe(channel);
    expect(live.asked).toHaveLength(2);
    await subscribe("aware/b");
    await subscribe("aware/a", "b");
    for (const _ of [1, 2])
      expect(await client.publish("aware/a", ["1"], { Authorization: "a" })).toMatchObject(refused("publish_error"));
    expect(live.asked).toHaveLength(5);
    vi.advanceTimersByTime(2_000);
    await subscribe("aware/a");
    expect(live.asked).toHaveLength(6);
    vi.useRealTimers();
  });

  test("is not kept without such seconds, nor when the authorizer failed", async () => {
    let calls = 0;
    const decide = () => (calls++ % 2 ? { isAuthorized: true } : Promise.reject(new Error("once")));
    const live = liveInMemory({ authorizer: except(decide) });
    const client = live.client();
    const types = async (id: string) => (await client.subscribe(id, "doc/a")).map(({ type }) => type);
    expect([await types("a"), await types("b"), await types("c")].flat()).toEqual([
      "subscribe_error",
      "subscribe_success",
      "subscribe_error",
    ]);
    expect(live.thrown).toHaveLength(2);
  });
});

describe("a channel", () => {
  const long = "x".repeat(50);
  test.each(["doc", "doc/a-b/C/1/2", `/doc/${long}/`])("can be %s", async (channel) => {
    const client = liveInMemory().client();
    expect(await client.subscribe("s", channel)).toEqual([{ type: "subscribe_success", id: "s" }]);
  });

  test.each([
    ...[
      undefined,
      7,
      "",
      "/",
      "//doc/a",
      "doc//a",
      "doc/a b",
      "doc/a%2Fb",
      "%64oc/a",
      "doc/-a",
      "doc/a-",
      "doc/a_b",
      "doc/ä",
    ],
    ...[
      "doc/1/2/3/4/5",
      `doc/${long}x`,
      "doc/..",
      "Doc/a",
      "other/a",
      "constructor",
      "*",
      "/*",
      "doc/**",
      "doc/*/a",
      "doc/a*",
    ],
  ])("cannot be %s", async (channel) => {
    const live = liveInMemory();
    const client = live.client();
    expect(await client.subscribe("s", channel)).toMatchObject(refused("subscribe_error", "BadRequestException"));
    expect(live.asked).toHaveLength(1);
  });

  test("with a wildcard is a question to the authorizer, and nobody can publish to one", async () => {
    const authorizer = except(() => ({ isAuthorized: false }));
    const live = liveInMemory({ authorizer });
    expect(await live.client().subscribe("s", "doc/*")).toMatchObject(refused("subscribe_error"));
    expect(live.asked.at(-1)?.requestContext.channel).toBe("/doc/*");
    expect(await live.client().publish("aware/*", ["1"])).toMatchObject(
      refused("publish_error", "BadRequestException"),
    );
    const open = liveInMemory();
    const client = open.client();
    await client.subscribe("s", "/doc/a/*");
    for (const channel of ["doc/a", "doc/a/b", "doc/a/b/c", "doc/b/b"]) await open.publish(channel, `"${channel}"`);
    expect(client.heard("s")).toEqual(['"doc/a/b"', '"doc/a/b/c"']);
  });
});

test("a connection with no answer of the authorizer waits", async () => {
  const client = liveInMemory({ authorizer: () => new Promise(() => {}) }).client();
  void client.say({ type: "connection_init" });
  await turns(5);
  expect(client.got).toEqual([]);
});
