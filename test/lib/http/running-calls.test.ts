// A call that runs for seconds, in a workspace that may make two calls a second and four at once.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { type Endpoint, endpoint } from "../../../lib/http/endpoint.ts";
import { lambda } from "../../../lib/http/lambda.ts";
import { type Credentials, contextOf, eventOf, newWorkspace } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";

let as: Credentials;
beforeEach(async () => {
  vi.stubEnv("WORKSPACE_CALLS_PER_SECOND", "2");
  as = await newWorkspace();
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Starts a call that ends when `work` does. `running` resolves when the endpoint runs. */
function start(work: Promise<void>) {
  const { promise: running, resolve } = Promise.withResolvers<void>();
  const declared = endpoint({
    name: "sample",
    path: "/sample",
    summary: "A sample.",
    grants: [],
    data: z.object({}),
    reply: z.unknown(),
    message: "Done.",
    handle: () => {
      resolve();
      return work;
    },
  } as never) as unknown as Endpoint;
  const endsAt = Date.now() + 15_000;
  const context = { ...contextOf("sample"), getRemainingTimeInMillis: () => endsAt - Date.now() };
  return { running, replying: lambda(declared)(eventOf(declared, { as, data: {} }) as never, context as never) };
}

describe("a workspace with more running calls than its limit", () => {
  it("gets RESOURCE_EXHAUSTED for those that no token is left for", async () => {
    const work = Promise.withResolvers<void>();
    const calls = [start(work.promise), start(work.promise), start(work.promise)];
    const replies = Promise.all(calls.map(({ replying }) => replying));
    await Promise.all(calls.map(({ running }) => running));
    for (let count = 0; count < 4; count++) await vi.advanceTimersByTimeAsync(1_000);
    work.resolve();
    const statuses = (await replies).map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([200, 429, 429]);
    expect(JSON.parse((await replies).find(({ statusCode }) => statusCode === 429)?.body ?? "")).toMatchObject({
      error: { status: "RESOURCE_EXHAUSTED" },
    });
  });

  it("pays nothing for a call that ends within a second", async () => {
    await start(Promise.resolve()).replying;
    expect(logs().findLast(({ message }) => message === "call")).toMatchObject({ writeUnits: 0 });
  });
});
