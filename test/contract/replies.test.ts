import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { endpoints, plainPaths, sourceOf } from "../../infra/deployables.ts";
import type { ErrorStatus } from "../../lib/errors.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { methodsOf } from "../../lib/http/endpoint.ts";
import { suggestPaths } from "../../lib/http/nearest.ts";
import { hashOf } from "../../lib/store/access/auth-token.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, call } from "../support/call.ts";
import { logs, logText } from "../support/capture-logs.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { callValid, dataOf, named, posts, samples } from "../support/contract/requests.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { expectRefused, storedOf } from "../support/refusal.ts";
import { sources } from "../support/sources.ts";

let alice: Credentials;

// A scan reads the whole table. In a new table, it does not read the items of earlier tests.
const aliceInNewTable = async () => {
  newTableInMemory();
  alice = await furnishedWorkspace();
};
beforeAll(aliceInNewTable);

const namesOrganization = (endpoint: Endpoint) => JSON.stringify(dataOf(endpoint)).includes('"organizationId":"acme"');
/** They report each item, end what may have ended, find nothing, or need no organization. */
const inAny = [
  ...["documents-migrate-status", "judgments-add", "locations-data-delete", "memory-ask", "memory-search"],
  ...[
    "notifications-config-get",
    "notifications-config-set",
    "organizations-add",
    "permissions-get",
    "live-close",
    "presence-delete",
  ],
  ...["permissions-remove", "token-generate", "usergroup-users-add", "usergroup-users-delete", "users-data-get"],
  ...["users-delete", "users-update"],
];

it.each(posts.filter((each) => namesOrganization(each) && !inAny.includes(each.name)))(
  "$name refuses a missing organization, names its field, and changes nothing",
  async (endpoint) => {
    const text = JSON.stringify(dataOf(endpoint)).replaceAll('"organizationId":"acme"', '"organizationId":"missing"');
    const message = await expectNoChange(endpoint, "INVALID_ARGUMENT", JSON.parse(text));
    expect(message).toMatch(/(?:^|\.)organizationId: The organization does not exist\.$/);
  },
);

it.each(posts.flatMap((each) => each.needs.map((needed) => [each.name, needed] as const)))(
  "%s returns FAILED_PRECONDITION without the switch %s, and changes nothing",
  async (name, needed) => {
    const endpoint = named(name);
    const message = await expectNoChange(endpoint, "FAILED_PRECONDITION", dataOf(endpoint), { [needed]: false });
    expect(message).toContain(needed);
  },
);

/** Expects that the call fails in a furnished workspace with these switches. Returns the message. */
async function expectNoChange(endpoint: Endpoint, status: ErrorStatus, data: unknown, switches = {}) {
  newTableInMemory();
  const as = await furnishedWorkspace(endpoint);
  await Setting.update({ workspace: as.apiKey }, "switches", switches);
  const before = await storedOf(as);
  const reply = await call(endpoint, { as, data });
  expectRefused(reply, status);
  expect(await storedOf(as)).toEqual(before);
  return reply.error?.message;
}

const tests = sources("test/functions");

it.each(posts)(
  "each further error that $name declares is named by a test of test/functions that imports it",
  (endpoint) => {
    const own = tests.filter(({ imports }) => imports.includes(sourceOf(endpoint)));
    const isShownHere = (status: ErrorStatus) => status === "FAILED_PRECONDITION" && endpoint.needs.length > 0;
    const left = endpoint.errors.filter((status) => !isShownHere(status));
    const untested = left.filter((status) => !own.some(({ text }) => text.includes(`"${status}"`)));
    expect(untested, "test a request that fails in this way, or remove the error from the declaration").toEqual([]);
  },
);

describe.each(posts)("$name", (endpoint) => {
  beforeAll(aliceInNewTable);

  it("returns its envelope and the request's id to a valid request", async () => {
    const as = await furnishedWorkspace(endpoint);
    const reply = await callValid(endpoint, { as });
    const { envelope } = endpoint;
    const isRefused = Object.values(Object(reply.data)).some((item) => Object(item).success === false);
    const message = isRefused ? "No item succeeded. Each item says why." : endpoint.message;
    if (envelope === "standard")
      expect(reply.body).toEqual({ result: { status: "success", message, data: reply.data } });
    expect(reply.error).toBeUndefined();
    expect(endpoint.message).not.toBe("");
    expect(reply.status).toBe(200);
    expect(reply.headers).toEqual({ "content-type": "application/json", "x-request-id": expect.stringMatching(/./) });
    expect(logs()).toContainEqual(
      expect.objectContaining({
        message: "call",
        endpoint: endpoint.name,
        workspace: as.apiKey,
        authTokenId: hashOf(as.authToken).slice(0, 12),
        status: "OK",
        http: 200,
        correlation_id: reply.headers["x-request-id"],
        function_request_id: expect.stringMatching(/-/),
        durationMs: expect.any(Number),
        roundTrips: expect.any(Number),
      }),
    );
    expect(logText()).not.toContain(as.authToken);
  });

  it("does not change another workspace's items with the same ids", async () => {
    const bob = await furnishedWorkspace(endpoint);
    const before = await storedOf(alice);
    await callValid(endpoint, { as: bob });
    expect(await storedOf(alice)).toEqual(before);
  });
});

describe.each(samples)("$name", (endpoint) => {
  beforeAll(aliceInNewTable);

  it("replies alike under both versions of its path, and is NOT_FOUND under any other", async () => {
    const other = endpoint.path.startsWith("/v1/") ? "v2" : "v1";
    const as = await furnishedWorkspace(endpoint);
    expect((await callValid(endpoint, { as, pathParameters: { version: other } })).error).toBeUndefined();
    const refused = await callValid(endpoint, { as, pathParameters: { version: "v3" } });
    expectRefused(refused, "NOT_FOUND", "path");
  });

  it("returns INTERNAL with the request's id, and logs the cause once without returning it", async () => {
    const tableName = process.env.TABLE_NAME;
    process.env.TABLE_NAME = "no-such-table";
    const reply = await callValid(endpoint, { as: alice });
    process.env.TABLE_NAME = tableName;
    const requestId = reply.headers["x-request-id"];
    expectRefused(reply, "INTERNAL");
    expect(reply.body.error).toEqual({
      ...(endpoint.failureCode && { code: 500 }),
      status: "INTERNAL",
      message: `Something went wrong on our side. Request id: ${requestId}.`,
    });
    const causes = logs().filter((line) => line.cause);
    expect(causes).toMatchObject([
      { level: "error", correlation_id: requestId, cause: { name: "ResourceNotFoundException" } },
    ]);
  });

  it("returns DEADLINE_EXCEEDED before Lambda's own timeout", async () => {
    expectRefused(await callValid(endpoint, { as: alice, remainingMs: 250 }), "DEADLINE_EXCEEDED");
  });
});

/** One endpoint of each method. */
const ofEachMethod = [...Map.groupBy(endpoints, ({ method }) => method).values()].map(([first]) => first as Endpoint);

describe.each(ofEachMethod.filter(({ method }) => method !== "ANY"))(
  "$name, called with another method",
  (endpoint) => {
    const methods = methodsOf(endpoint);
    const others = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"].filter(
      (each) => !methods.includes(each) && !(each === "HEAD" && methods.includes("GET")),
    );

    it.each(others)("returns 405 with the allowed method: %s", async (method) => {
      const reply = await call(endpoint, { as: alice, method, pathParameters: { apiKey: "w" } });
      expectRefused(reply, "INVALID_ARGUMENT", methods.join(" or "), 405);
      expect(reply.headers.allow).toBe(methods.join(", "));
    });

    it("returns 405 before it checks the credentials", async () => {
      expectRefused(await call(endpoint, { method: "PUT" }), "INVALID_ARGUMENT", "method", 405);
    });
  },
);

it.each(endpoints.filter((each) => methodsOf(each).includes("GET")))("$name takes HEAD as GET", async (endpoint) => {
  const sent = { pathParameters: { apiKey: alice.apiKey, token: "t" } };
  const [{ headers, ...reply }, got] = [
    await call(endpoint, { ...sent, method: "HEAD" }),
    await call(endpoint, { ...sent, method: "GET" }),
  ];
  const { "x-request-id": _, ...alike } = headers;
  expect(reply.status).not.toBe(405);
  expect(reply.status).toBe(got.status);
  expect(got.headers).toMatchObject(alike);
});

describe("jwks-get", () => {
  const keysOf = (apiKey: string) => call(named("jwks-get"), { pathParameters: { apiKey } });

  it("needs no credentials, and returns the same keys for every workspace", async () => {
    expect((await keysOf(alice.apiKey)).body).toEqual((await keysOf("unknown")).body);
  });

  it.each(["", "a\0b", "x".repeat(257)])("refuses an invalid API key: %j", async (apiKey) => {
    expectRefused(await keysOf(apiKey), "INVALID_ARGUMENT", "apiKey");
  });
});

it.each(["GET", "POST", "PUT", "OPTIONS"])(
  "%s of an unknown path returns NOT_FOUND in the envelope",
  async (method) => {
    const path = "/v2/no/such/path" as const;
    const reply = await call({ ...named("not-found"), path } as { name: string }, { method, body: "{" });
    expectRefused(reply, "NOT_FOUND");
  },
);

it.each(["/v2/user/get", "/v3/users/get", "/users/get"])("the failure for %s suggests /v2/users/get", async (path) => {
  // As the bundle of the fallback has it.
  suggestPaths(plainPaths());
  onTestFinished(() => suggestPaths([]));
  const reply = await call({ ...named("not-found"), path } as { name: string }, { body: "{}" });
  expectRefused(reply, "NOT_FOUND", "Did you mean /v2/users/get?");
});
