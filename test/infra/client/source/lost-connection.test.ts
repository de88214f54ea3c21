// Connections that are lost within a reply, after its headers.
import type { RequestListener } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, it, vi } from "vitest";
import { makeClient } from "../../../../infra/client/source/client.ts";
import { listen } from "../../../support/net/listen.ts";
import { turns, untilHolds } from "../../../support/turns.ts";

const keys: (string | undefined)[] = [];
let answers: RequestListener[] = [];
/** How many connections of the last client ended before the whole reply. */
let closed = { count: 0 };

beforeEach(() => {
  keys.length = 0;
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  };
});

interface Users {
  usersAdd(data: object, options?: { signal: AbortSignal }): Promise<unknown>;
}

async function client(more: object = {}): Promise<Users> {
  // A connection of the test before can close later.
  const own = { count: 0 };
  closed = own;
  const port = await listen((request, response) => {
    keys.push(request.headers["idempotency-key"] as string | undefined);
    request.resume();
    response.on("close", () => response.writableFinished || own.count++);
    answers.shift()?.(request, response);
  });
  const options = { url: `http://127.0.0.1:${port}`, apiKey: "k", authToken: "t", ...more };
  return makeClient("usersAdd  w", options) as Users;
}

const body = JSON.stringify({ result: { status: "success", message: "Done.", data: { id: 1 } } });

const begin =
  (status: number, then?: () => void): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", "content-length": body.length });
    response.write(body.slice(0, 20), () => (then ? then() : response.destroy()));
  };
const done: RequestListener = (_, response) => void response.end(body);

it.each([200, 503])("a connection lost within a reply with HTTP %i is repeated, with the same key", async (status) => {
  answers = [begin(status), done];
  expect(await (await client()).usersAdd({})).toEqual({ id: 1 });
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]]);
});

it.each([200, 503])("a reply with HTTP %i that is lost at each attempt is UNAVAILABLE", async (status) => {
  answers = [begin(status), begin(status)];
  await expect((await client({ retries: 1 })).usersAdd({})).rejects.toMatchObject({
    name: "ApiError",
    status: "UNAVAILABLE",
    httpStatus: 0,
    message: expect.stringMatching(/^The connection to http:\/\/127\.0\.0\.1:\d+ failed\.$/),
  });
  expect(keys).toHaveLength(2);
});

/** A `fetch` that calls `then` when the headers of the reply have come. */
const fetchThen = (then: () => void) => async (request: Request) => {
  const reply = await fetch(request);
  setImmediate(then);
  return reply;
};

it("a body that does not end is DEADLINE_EXCEEDED after the time limit", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  answers = [begin(200, () => undefined), done];
  const end = () => void vi.advanceTimersByTime(200);
  const error = (await client({ retries: 0, timeoutMs: 200, fetch: fetchThen(end) })).usersAdd({});
  await expect(error).rejects.toMatchObject({ name: "ApiError", status: "DEADLINE_EXCEEDED", httpStatus: 0 });
});

it("the caller's signal ends a call within the body", async () => {
  const stop = new AbortController();
  const reason = new Error("Enough.");
  answers = [begin(200, () => undefined)];
  const caller = await client({ fetch: fetchThen(() => stop.abort(reason)) });
  await expect(caller.usersAdd({}, { signal: stop.signal })).rejects.toBe(reason);
  expect(keys).toHaveLength(1);
});

/** Collects all that nothing holds, as a busy process does sooner or later. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  for (let count = 0; count < 2; count++) {
    await turns();
    gc();
  }
}

const silent: [string, RequestListener][] = [
  ["before the reply", () => undefined],
  ["within the reply", begin(200, () => undefined)],
];

it.each(silent)("the time limit ends a call %s after a garbage collection too", async (_, listener) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  answers = [listener];
  const call = (await client({ retries: 0, timeoutMs: 300 })).usersAdd({});
  const ended = expect(call).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED" });
  await untilHolds(() => answers.length === 0);
  await collectGarbage();
  vi.advanceTimersByTime(300);
  await ended;
  await untilHolds(() => closed.count === 1);
});

it.each(silent)("the caller's signal ends a call %s after a garbage collection too", async (_, listener) => {
  answers = [listener];
  const stop = new AbortController();
  const reason = new Error("Enough.");
  const ended = expect((await client()).usersAdd({}, { signal: stop.signal })).rejects.toBe(reason);
  await untilHolds(() => answers.length === 0);
  await collectGarbage();
  stop.abort(reason);
  await ended;
  await untilHolds(() => closed.count === 1);
});
