import { randomBytes } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { writeWithinCall } from "../../../lib/call.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { ApiError } from "../../../lib/errors.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { type Handler, lambda, readLambda } from "../../../lib/http/lambda.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, contextOf, eventOf, newWorkspace } from "../../support/call.ts";
import { logText } from "../../support/capture-logs.ts";
import { expectRefused, storedOf } from "../../support/refusal.ts";
import { untilHolds } from "../../support/turns.ts";
import { mocked } from "../../support/workspace.ts";

const handle = vi.fn(async (): Promise<unknown> => "done");
const sample = (name = "sample") =>
  endpoint({
    name,
    path: "/sample",
    summary: "A sample.",
    grants: ["table:write"],
    errors: ["FAILED_PRECONDITION", "NOT_FOUND", "ALREADY_EXISTS"],
    data: z.object({ text: z.optional(z.string()), more: z.optional(z.record(z.string(), z.unknown())) }),
    reply: z.unknown(),
    message: "Done.",
    handle,
  });
const leaseMs = 12_000;

let as: Credentials;
beforeAll(async () => {
  as = await newWorkspace();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  handle.mockReset().mockResolvedValue("done");
});

interface Options {
  data?: unknown;
  caller?: Credentials;
  handler?: Handler;
  remainingMs?: number;
}

let keys = 0;
const newKey = () => `key-${++keys}`;
async function send(key: string, { data = {}, caller = as, handler = lambda(sample()), remainingMs }: Options = {}) {
  const event = eventOf(sample(), { as: caller, data, headers: { "idempotency-key": key } });
  const reply = await handler(event as never, contextOf("sample", remainingMs) as never);
  const body = JSON.parse(reply.body);
  const isReplay = reply.headers["idempotent-replayed"] === "true";
  return { status: reply.statusCode, headers: reply.headers, body, error: body.error, data: undefined, isReplay };
}
/** Moves the clock forward. */
const advance = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
/** The stored calls of a workspace. */
async function storedCalls(of: Credentials) {
  const items = Object.entries(await storedOf(of)) as [string, Record<string, unknown>][];
  return items.filter(([name]) => name.includes("#I#")).map(([, item]) => item);
}

describe("the key", () => {
  it.each(["", "x".repeat(256), "a b", "é", "a\tb", "\u007f"])("is refused: %j", async (key) => {
    expectRefused(await send(key), "INVALID_ARGUMENT", "Idempotency-Key");
    expect(handle).not.toHaveBeenCalled();
  });

  it.each(["x", "!~", "x".repeat(255), "#W#w#%23"])("is accepted: %j", async (key) => {
    expect(await send(key)).toMatchObject({ status: 200, isReplay: false });
    expect(await send(key)).toMatchObject({ status: 200, isReplay: true });
  });

  it("applies to one endpoint only", async () => {
    const key = newKey();
    await send(key);
    expect(await send(key, { handler: lambda(sample("other")) })).toMatchObject({ status: 200, isReplay: false });
  });

  it("requires the same data, in any order of the fields and with any unknown fields", async () => {
    const key = newKey();
    await send(key, { data: { text: "a", more: { b: [1, { c: 2, d: 3 }], a: null } } });
    const same = { unknown: 1, more: { a: null, b: [1, { d: 3, c: 2 }] }, text: "a" };
    expect((await send(key, { data: same })).isReplay).toBe(true);
    expectRefused(
      await send(key, { data: { ...same, more: { a: null, b: [{ d: 3, c: 2 }, 1] } } }),
      "ABORTED",
      "another",
    );
  });
});

describe("the first reply", () => {
  it("is not stored when the call is refused before the endpoint runs", async () => {
    const key = newKey();
    expectRefused(await send(key, { data: { text: 7 } }), "INVALID_ARGUMENT");
    expect(await send(key, { data: { text: "7" } })).toMatchObject({ status: 200, isReplay: false });
  });

  const expected = { isExpected: true, details: { a: 1 } };
  it.each([
    new ApiError("INVALID_ARGUMENT", "Too long."),
    new ApiError("FAILED_PRECONDITION", "Not yet."),
    new ApiError("PERMISSION_DENIED", "Not yours."),
    new ApiError("NOT_FOUND", "Nothing there.", { details: { a: 1 } }),
    new ApiError("ALREADY_EXISTS", "Already there."),
    new ApiError("INTERNAL", "Some were added.", expected),
    new ApiError("INTERNAL", "The model declined.", { isExpected: true }),
  ])("is stored when it is final: $status $message", async (failure) => {
    const key = newKey();
    handle.mockRejectedValueOnce(failure);
    const first = await send(key);
    expect(first).toMatchObject({ isReplay: false, error: { status: failure.status } });
    expect(await send(key)).toMatchObject({ status: first.status, isReplay: true, body: first.body });
  });

  it.each([
    new Error("bug"),
    new ApiError("INTERNAL", "Nobody expected this."),
    new ApiError("ABORTED", "The user is being erased."),
    new ApiError("RESOURCE_EXHAUSTED", "Delete one first."),
    new ApiError("UNAVAILABLE", "Busy."),
    new ApiError("UNAVAILABLE", "The vendor is down.", expected),
    new ApiError("DEADLINE_EXCEEDED", "The vendor is slow."),
    new ApiError("DEADLINE_EXCEEDED", "The model is slow.", expected),
  ])("is not stored for a failure that can pass: %s", async (failure) => {
    const key = newKey();
    handle.mockRejectedValueOnce(failure);
    expect((await send(key)).status).toBeGreaterThanOrEqual(409);
    expect(await send(key)).toMatchObject({ status: 200, isReplay: false });
  });

  it("is replayed for 24 hours, and not later even if the item still exists", async () => {
    const [caller, key] = [await newWorkspace(), newKey()];
    vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 1_000) * 1_000 });
    await send(key, { caller });
    expect(await storedCalls(caller)).toMatchObject([{ ttl: Date.now() / 1_000 + 24 * 3_600 }]);
    advance(24 * 3_600_000 - 1);
    expect((await send(key, { caller })).isReplay).toBe(true);
    advance(1);
    const other = { caller, data: { text: "other" } };
    expect(await send(key, other)).toMatchObject({ status: 200, isReplay: false });
    expect(await send(key, other)).toMatchObject({ status: 200, isReplay: true });
    expect(await storedCalls(caller)).toHaveLength(1);
  });

  it("can have the maximum size of a reply", async () => {
    const [caller, key] = [await newWorkspace(), newKey()];
    handle.mockResolvedValueOnce(randomBytes(3.5 * 1_024 * 1_024).toString("base64"));
    const first = await send(key, { caller, remainingMs: 60_000 });
    const second = await send(key, { caller });
    expect(second.isReplay).toBe(true);
    expect(second.body.result.data === first.body.result.data).toBe(true);
    const stored = await storedCalls(caller);
    expect(stored.length).toBeGreaterThan(10);
    expect(stored.every(({ ttl }) => typeof ttl === "number")).toBe(true);
  });

  it("is stored sealed for its workspace, without the request and the credentials", async () => {
    const [caller, other, key] = [await newWorkspace(), await newWorkspace(), newKey()];
    handle.mockResolvedValue({ answer: "a secret answer" });
    await send(key, { caller, data: { text: "a secret question" } });
    await send(key, { caller: other, data: { text: "a secret question" } });
    const [[mine], [theirs]] = [await storedCalls(caller), await storedCalls(other)];
    for (const hidden of ["secret", caller.authToken, key]) {
      expect(JSON.stringify(mine)).not.toContain(hidden);
      expect(logText()).not.toContain(hidden);
    }
    await commit([{ put: { ...theirs, pk: String(theirs?.pk), sk: String(theirs?.sk), reply: mine?.reply } }]);
    expectRefused(await send(key, { caller: other, data: { text: "a secret question" } }), "INTERNAL");
  });

  it("is returned when it cannot be stored, and the call can be repeated", async () => {
    const [key, caller] = [newKey(), await newWorkspace()];
    atAwsEdge(async (command, call) => {
      if (command.constructor.name === "GenerateDataKeyCommand") throw new Error("KMS is unavailable.");
      return call();
    });
    expect(await send(key, { caller })).toMatchObject({ status: 200, isReplay: false });
    expect(logText()).toContain("A reply was not stored.");
    vi.restoreAllMocks();
    expectRefused(await send(key, { caller }), "ABORTED", "in progress");
    advance(leaseMs);
    expect(await send(key, { caller })).toMatchObject({ status: 200, isReplay: false });
    expect((await send(key, { caller })).isReplay).toBe(true);
  });
});

describe("a running call", () => {
  it("keeps its key until its lease ends, and does not overwrite the reply of the next call", async () => {
    const key = newKey();
    const { promise, resolve: finish } = Promise.withResolvers<string>();
    handle.mockReturnValueOnce(promise);
    const slow = send(key);
    await untilHolds(() => handle.mock.calls.length > 0);
    const refused = await send(key);
    expectRefused(refused, "ABORTED", "in progress");
    expect(refused.headers["retry-after"]).toBe("1");
    advance(leaseMs);
    handle.mockResolvedValue("second");
    expect((await send(key)).body.result.data).toBe("second");
    finish("first");
    expect((await slow).body.result.data).toBe("first");
    expect((await send(key)).body.result.data).toBe("second");
  });

  it("releases its key at its deadline, since it writes nothing more", async () => {
    const key = newKey();
    handle.mockImplementationOnce(() => new Promise(() => {}));
    expectRefused(await send(key, { remainingMs: 1_500 }), "DEADLINE_EXCEEDED");
    expect(await send(key)).toMatchObject({ status: 200, isReplay: false });
  });

  it("keeps its key after a failure until its lease ends, if a write does not end in time", async () => {
    const key = newKey();
    const hanging = () => new Promise<never>(() => {});
    handle.mockImplementationOnce(() => {
      writeWithinCall(hanging).catch(() => {});
      return Promise.reject(new ApiError("UNAVAILABLE", "Busy."));
    });
    expectRefused(await send(key), "UNAVAILABLE");
    expect(logText()).toContain("A write did not end in time.");
    expectRefused(await send(key), "ABORTED", "in progress");
    advance(leaseMs);
    expect(await send(key)).toMatchObject({ status: 200, isReplay: false });
  });
});

describe("the claim", () => {
  const key = { pk: "claim-test", sk: "item" };

  it("of another call lets the endpoint write nothing", async () => {
    const [first, at] = [newKey(), { ...key, sk: "other" }];
    await send(first);
    const { promise: tried, resolve: hasTried } = Promise.withResolvers<unknown>();
    handle.mockImplementationOnce(() => commit([{ put: at }]).then(hasTried, hasTried));
    expect((await send(first)).isReplay).toBe(true);
    expect(await tried).toBeInstanceOf(Error);
    expect(await Table.get(at)).toBeUndefined();
  });

  it("is made before an endpoint that calls a model or stores a file", async () => {
    for (const more of [{ callsOut: true }, { grants: ["table:write", "file:write"] as const }]) {
      const waiting = endpoint({ ...sample(), ...more });
      const repeated = newKey();
      await send(repeated, { handler: lambda(waiting) });
      handle.mockClear();
      expect((await send(repeated, { handler: lambda(waiting) })).isReplay).toBe(true);
      expect(handle).not.toHaveBeenCalled();
    }
  });
});

describe("AWS calls", () => {
  it("are a write before the endpoint, a write after it and a data key for the first call, and none without the header", async () => {
    const aws = mockAws(mocked.rows);
    const sent = { as: mocked.as, data: {} };
    const withKey = (key: string) => eventOf(sample(), { ...sent, headers: { "idempotency-key": key } });
    for (const event of [eventOf(sample(), sent), withKey("k"), withKey("l")]) {
      await lambda(sample())(event as never, contextOf("sample") as never);
    }
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/),
      ...[1, 2].flatMap(() => [
        expect.stringMatching(/^Put W#w#I#\d+ \w{64} if absent$/),
        expect.stringMatching(/^Update W#w#I#\d+ \w{64} if \{claimId\}$/),
      ]),
      "GenerateDataKey",
    ]);
    aws.restore();
  });
});

it("readLambda refuses an endpoint that writes", () => {
  expect(() => readLambda(sample())).toThrow("sample writes");
});
