// Connections that are lost within a reply, after its headers.
import type { RequestListener } from "node:http";
import { beforeEach, expect, it, vi } from "vitest";
import { makeClient } from "../../../../infra/client/source/client.ts";
import { listen } from "../../../support/net/listen.ts";

const keys: (string | undefined)[] = [];
let answers: RequestListener[] = [];

beforeEach(() => {
  keys.length = 0;
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

interface Users {
  usersAdd(data: object, options?: { signal: AbortSignal }): Promise<unknown>;
}

async function client(more: object = {}): Promise<Users> {
  const port = await listen((request, response) => {
    keys.push(request.headers["idempotency-key"] as string | undefined);
    request.resume();
    answers.shift()?.(request, response);
  });
  const options = { url: `http://127.0.0.1:${port}`, apiKey: "k", authToken: "t", ...more };
  return makeClient("usersAdd  w", options) as Users;
}

const body = JSON.stringify({ result: { status: "success", message: "Done.", data: "done" } });

const begin =
  (status: number, then?: () => void): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", "content-length": body.length });
    response.write(body.slice(0, 20), () => (then ? then() : response.destroy()));
  };
const done: RequestListener = (_, response) => void response.end(body);

it.each([200, 503])("a connection lost within a reply with HTTP %i is repeated, with the same key", async (status) => {
  answers = [begin(status), done];
  expect(await (await client()).usersAdd({})).toBe("done");
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

it("a body that does not end is DEADLINE_EXCEEDED after the time limit", async () => {
  answers = [begin(200, () => undefined), done];
  const error = (await client({ retries: 0, timeoutMs: 200 })).usersAdd({});
  await expect(error).rejects.toMatchObject({ name: "ApiError", status: "DEADLINE_EXCEEDED", httpStatus: 0 });
});

it("the caller's signal ends a call within the body", async () => {
  const stop = new AbortController();
  const reason = new Error("Enough.");
  answers = [begin(200, () => stop.abort(reason)), done];
  await expect((await client()).usersAdd({}, { signal: stop.signal })).rejects.toBe(reason);
  expect(keys).toHaveLength(1);
});
