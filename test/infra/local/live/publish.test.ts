import { describe, expect, test, vi } from "vitest";
import type { HandlerContext, OnPublish } from "../../../../infra/local/live/publish.ts";
import { liveInMemory, type Sent } from "../../../support/local/live.ts";

const user = { isAuthorized: true, handlerContext: { sub: "alice" } };
const badRequest = [
  { type: "publish_error", id: "p", errors: [expect.objectContaining({ errorType: "BadRequestException" })] },
];
const allowed = 240 * 1_024;

test("a publication is answered with an identifier and an index for each event", async () => {
  const live = liveInMemory();
  const client = live.client();
  await client.subscribe("s", "aware/a");
  const successful = [0, 1, 2, 3, 4].map((index) => ({ identifier: expect.any(String), index }));
  expect((await client.publish("aware/a", ["1", "2", "3", "4", "5"])).at(-1)).toEqual({
    type: "publish_success",
    id: "p",
    successful,
    failed: [],
  });
  expect(client.heard("s")).toEqual(["1", "2", "3", "4", "5"]);
  const { successful: own } = await live.publish("doc/a", "1", "2");
  expect(new Set(own.map(({ identifier }) => identifier)).size).toBe(2);
});

test.each([
  ["no list", "1"],
  ["no events", []],
  ["six events", Array(6).fill("1")],
  ["an event that is no text", [{}]],
  ["an event that is no JSON", ["1", "{"]],
  ["an event above 240 KB", [`"${"x".repeat(allowed - 1)}"`]],
])("%s: nothing is published", async (_, events) => {
  const client = liveInMemory().client();
  await client.subscribe("s", "aware/a");
  expect(await client.publish("aware/a", events)).toEqual(badRequest);
  expect(client.heard("s")).toEqual([]);
});

test("an event of 240 KB is published, and é counts twice", async () => {
  const client = liveInMemory().client();
  await client.subscribe("s", "aware/a");
  await client.publish("aware/a", [`"${"x".repeat(allowed - 2)}"`]);
  expect(client.heard("s")[0]).toHaveLength(allowed);
  expect(await client.publish("aware/a", [`"${"é".repeat(allowed / 2)}"`])).toEqual(badRequest);
});

test("the 26th publication of a connection within a second is refused", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const client = liveInMemory().client();
  const types = new Set<string>();
  for (let count = 0; count < 25; count++) types.add((await client.publish("aware/a", ["1"]))[0].type);
  expect([...types]).toEqual(["publish_success"]);
  expect(await client.publish("aware/a", ["1"])).toMatchObject([{ errors: [{ errorType: "LimitExceededError" }] }]);
  vi.advanceTimersByTime(1_000);
  expect(await client.publish("aware/a", ["1"])).toMatchObject([{ type: "publish_success" }]);
  vi.useRealTimers();
});

test("all subscriptions get the events of many publications in the same order", async () => {
  let calls = 0;
  // Earlier questions are answered later.
  const authorizer = async () => {
    for (let wait = 20 - (calls++ % 20); wait > 0; wait--) await undefined;
    return { isAuthorized: true };
  };
  const live = liveInMemory({ authorizer });
  const clients = [live.client(), live.client(), live.client()];
  for (const each of clients) await each.subscribe("s", "aware/a");
  const numbers = [0, 1, 2, 3, 4, 5];
  await Promise.all(numbers.flatMap((n) => clients.map((each, index) => each.publish("aware/a", [`"${index} ${n}"`]))));
  const heard = clients.map((each) => each.heard("s"));
  expect(heard).toEqual([heard[0], heard[0], heard[0]]);
  for (const index of [0, 1, 2])
    expect(heard[0]?.filter((each) => each.startsWith(`"${index}`))).toEqual(numbers.map((n) => `"${index} ${n}"`));
});

describe("the handler of a namespace", () => {
  const withHandler = async (onPublish: OnPublish, ...events: string[]) => {
    const live = liveInMemory({ authorizer: async () => user, handlers: { aware: async () => onPublish } });
    const client = live.client();
    await client.subscribe("s", "aware/a");
    const answer: Sent = (await client.publish("aware/a", events)).at(-1);
    return { answer, heard: client.heard("s"), live };
  };

  test("gets AWS's context, and what it returns is sent", async () => {
    const seen: HandlerContext[] = [];
    const { heard } = await withHandler((context) => {
      seen.push(structuredClone(context));
      const { sub } = (context.identity as { handlerContext: Record<string, string> }).handlerContext;
      return context.events.map(({ id, payload }) => ({ id, payload: { ...(payload as object), user: sub } }));
    }, '{"cursor":3,"user":"bob"}');
    expect(heard).toEqual(['{"cursor":3,"user":"alice"}']);
    expect(seen).toEqual([
      {
        identity: { handlerContext: { sub: "alice" } },
        info: {
          channel: { path: "/aware/a", segments: ["aware", "a"] },
          channelNamespace: { name: "aware" },
          operation: "PUBLISH",
        },
        events: [{ id: expect.any(String), payload: { cursor: 3, user: "bob" } }],
        request: { headers: { host: "local" }, domainName: null },
        stash: {},
      },
    ]);
  });

  test("changes only its own copy of the identity", async () => {
    const authorizer = async () => ({ isAuthorized: true, handlerContext: { sub: "alice" }, ttlOverride: 60 });
    const onPublish: OnPublish = ({ identity, events }) => {
      const { handlerContext } = identity as { handlerContext: Record<string, string> };
      handlerContext.sub += "!";
      return events.map(({ id }) => ({ id, payload: handlerContext.sub }));
    };
    const client = liveInMemory({ authorizer, handlers: { aware: async () => onPublish } }).client();
    await client.subscribe("s", "aware/a");
    for (const _ of [1, 2]) await client.publish("aware/a", ["1"]);
    expect(client.heard("s")).toEqual(['"alice!"', '"alice!"']);
  });

  test("refuses one event by its error, and leaves one out", async () => {
    const { answer, heard } = await withHandler(
      ({ events }) =>
        events
          .slice(0, 2)
          .map((each, index) => ({ ...each, ...(index === 0 && { payload: undefined, error: "Too long." }) })),
      ...["1", "2", "3"],
    );
    expect(heard).toEqual(["2"]);
    expect(answer.failed).toEqual([{ identifier: expect.any(String), index: 0, code: 400, message: "Too long." }]);
    expect(answer.successful).toMatchObject([{ index: 1 }, { index: 2 }]);
  });

  test.each<[string, OnPublish]>([
    ["throws", () => JSON.parse("{")],
    ["returns another id", ({ events }) => events.map((each) => ({ ...each, id: "other" }))],
    ["returns an event twice", ({ events }) => [...events, ...events]],
    ["returns no payload", ({ events }) => events.map(({ id }) => ({ id, payload: undefined }))],
    ["returns more than 240 KB", ({ events }) => events.map(({ id }) => ({ id, payload: "x".repeat(allowed) }))],
  ])("that %s lets nothing through", async (_, onPublish) => {
    const { answer, heard } = await withHandler(onPublish, "1");
    expect(answer).toMatchObject({ type: "publish_error", errors: [{ errorType: "HandlerExecutionException" }] });
    expect(heard).toEqual([]);
  });

  test("that cannot be loaded lets nothing through", async () => {
    const live = liveInMemory({ handlers: { aware: () => Promise.reject(new Error("no such file")) } });
    const client = live.client();
    await client.subscribe("s", "aware/a");
    const errors = [{ errorType: "InternalFailure", message: "Internal Server Error" }];
    expect(await client.publish("aware/a", ["1"])).toEqual([{ type: "publish_error", id: "p", errors }]);
    expect([client.heard("s"), live.thrown.map(String)]).toEqual([[], ["Error: no such file"]]);
  });

  test("that returns nothing sends nothing, and it is not for other namespaces", async () => {
    const { answer, heard, live } = await withHandler(() => null, "1");
    expect([answer.type, heard]).toEqual(["publish_success", []]);
    const client = live.client();
    await client.subscribe("s", "doc/a");
    await live.publish("doc/a", "1");
    expect(client.heard("s")).toEqual(["1"]);
  });
});
