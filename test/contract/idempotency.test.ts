// Repeats a request to every endpoint that writes under the same Idempotency-Key.
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sourceOf } from "../../infra/deployables.ts";
import type { Grant } from "../../lib/grants.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { dieBeforeCall } from "../support/aws/edge.ts";
import { type Credentials, call, contextOf, eventOf } from "../support/call.ts";
import { furnishedWorkspace, prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { callValid, dataOf, posts } from "../support/contract/requests.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { byKey, expectRefused, storedOf } from "../support/refusal.ts";
import { itemsOfMany } from "../support/scan.ts";

const writing = posts.filter(({ isWrite }) => isWrite);
const headers = { "idempotency-key": "key-1" };

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("exactly the endpoints with a grant to write have idempotency keys", () => {
  const toWrite: readonly Grant[] = ["table:write", "table:delete", "table:batch"];
  const granted = posts.filter(({ grants }) => grants.some((grant) => toWrite.includes(grant)));
  expect(writing).toEqual(granted);
  expect(writing.length).toBeGreaterThan(10);
});

describe.each(writing)("$name", (endpoint) => {
  // A scan reads the whole table. In a new table, it does not read the items of earlier tests.
  beforeAll(async () => {
    newTableInMemory();
    await prepareFurniture();
  });

  it("returns the first reply to a repeated call and changes nothing", async () => {
    const as = await furnishedWorkspace(endpoint);
    const first = await callValid(endpoint, { as, headers });
    expect(first.status).toBe(200);
    expect(first.headers).not.toHaveProperty("idempotent-replayed");
    const stored = await storedOf(as);
    const second = await callValid(endpoint, { as, headers });
    expect(second).toMatchObject({ status: 200, body: first.body, headers: { "idempotent-replayed": "true" } });
    expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
    expect(await storedOf(as)).toEqual(stored);
  });

  it("returns ABORTED for the same key with other data and changes nothing", async () => {
    const as = await furnishedWorkspace(endpoint);
    await callValid(endpoint, { as, headers });
    const stored = await storedOf(as);
    const refused = await call(endpoint, { as, headers, data: otherData(endpoint) });
    expectRefused(refused, "ABORTED", "another request");
    expect(refused.headers).not.toHaveProperty("retry-after");
    expect(await storedOf(as)).toEqual(stored);
  });

  it("does not share keys between workspaces", async () => {
    const [as, other] = await Promise.all([furnishedWorkspace(endpoint), furnishedWorkspace(endpoint)]);
    await callValid(endpoint, { as: other, headers });
    const reply = await callValid(endpoint, { as, headers });
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty("idempotent-replayed");
  });

  it("runs one of five concurrent calls, and returns ABORTED or its reply to the others", async () => {
    const as = await furnishedWorkspace(endpoint);
    const replies = await Promise.all(Array.from({ length: 5 }, () => callValid(endpoint, { as, headers })));
    const succeeded = replies.filter(({ status }) => status === 200);
    expect(succeeded.filter((each) => !each.headers["idempotent-replayed"])).toHaveLength(1);
    for (const each of succeeded) expect(each.body).toEqual(succeeded[0]?.body);
    for (const each of replies) if (each.status !== 200) expectRefused(each, "ABORTED", "in progress");
  });

  it("has the same effect when the process dies before one of its AWS calls and the request is repeated", async () => {
    const { handler } = (await import(/* @vite-ignore */ `../../${sourceOf(endpoint)}`)) as { handler: Handler };
    newTableInMemory();
    const workspaces: Credentials[] = [];
    for (let at = 0, hasDied = true; hasDied; at++) {
      const as = await furnishedWorkspace(endpoint);
      workspaces.push(as);
      const wasReached = dieBeforeCall(at);
      await send(handler, endpoint, as);
      hasDied = wasReached();
      vi.restoreAllMocks();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + endpoint.timeoutSeconds * 1_000 + 2_000 });
      // The process may have died after its work and before its reply was stored.
      expect([200, statusWhenDone[endpoint.name]]).toContain(await send(handler, endpoint, as));
      vi.useRealTimers();
    }
    expect(workspaces.length).toBeGreaterThan(4);
    const [undisturbed, ...others] = (await namesOf(endpoint.name, workspaces)).reverse();
    for (const names of others) expect(names).toEqual(undisturbed);
  });
});

describe("a call that only reads", () => {
  let as: Credentials;
  beforeAll(async () => {
    newTableInMemory();
    as = await furnishedWorkspace();
  });

  it.each(posts.filter(({ isWrite }) => !isWrite))("$name ignores the Idempotency-Key", async (endpoint) => {
    for (let times = 0; times < 2; times++) {
      const reply = await callValid(endpoint, { as, headers });
      expect(reply.status).toBe(200);
      expect(reply.headers).not.toHaveProperty("idempotent-replayed");
    }
  });
});

/** The HTTP status of a repeated call that finds the work done. Other endpoints return 200. */
const statusWhenDone: Record<string, number> = {
  "crdt-add": 409,
  "domains-add": 500,
  "locations-update": 409,
  "webhook-endpoints-delete": 404,
};

/** Endpoints that add an item at every attempt: an entry of the log of changes, a test, or the job of a purge. */
const addsOnRetry = new Set(["emailconfig-test", "judgments-add", "users-delete", "webhook-test"]);

async function send(handler: Handler, endpoint: Endpoint, as: Credentials): Promise<number> {
  const event = eventOf(endpoint, { as, headers, data: dataOf(endpoint) });
  return (await handler(event as never, contextOf(endpoint.name) as never)).statusCode;
}

/** Keys of all items except replies, without their random parts. */
async function namesOf(name: string, workspaces: Credentials[]): Promise<string[][]> {
  const stored = (await itemsOfMany(workspaces.map(({ apiKey }) => apiKey))).map(byKey);
  return stored.map((items, index) => {
    const names = Object.keys(items)
      .filter((each) => !/#I#| TOKEN#/.test(each))
      .map((each) => each.replace(String(workspaces[index]?.apiKey), "w").replaceAll(uuid, "uuid"))
      .map((each) => each.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time").replace(/\d{13}[\w-]*/g, "time"))
      .map((each) => each.replace(/(#ER#).*/, "$1hash of the user").replace(/(#RECORDSKEYS) .*/, "$1 kid"))
      .map((each) => each.replace(/#OUT#.*/, "#OUT# shard and time").replace(/(JOB#[a-z]+-).*/, "$1hash"))
      .map((each) => each.replace(/#JL#.*/, "#JL#").replace(/whe_[\w-]+|N#[\w-]+/g, "random"));
    return (addsOnRetry.has(name) ? [...new Set(names)] : names).sort();
  });
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The usual request with one value changed, so that it is still valid. */
function otherData(endpoint: Endpoint): unknown {
  const text = JSON.stringify(dataOf(endpoint));
  for (let changed = 0; changed < 100; changed++) {
    let leaf = 0;
    const data = JSON.parse(text, (_, value) => {
      if (typeof value === "object" || leaf++ !== changed) return value;
      if (typeof value === "string") return `${value}x`;
      return typeof value === "number" ? value + 1 : !value;
    });
    if (JSON.stringify(data) !== text && endpoint.data.safeParse(data).success) return data;
  }
  throw new Error(`${endpoint.name} has no other valid data.`);
}
