import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { commit } from "../../lib/jobs/commit.ts";
import { scopes } from "../../lib/schema/scopes.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import { type Credentials, call, newWorkspace } from "../support/call.ts";
import { logText } from "../support/capture-logs.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { callValid, named, others, posts, providerToken, samples } from "../support/contract/requests.ts";
import { expectRefused, storedOf } from "../support/refusal.ts";

const apiKeyHeader = "x-service-api-key";
const authTokenHeader = "x-service-auth-token";

let alice: Credentials;
let bob: Credentials;

beforeAll(async () => {
  [alice, bob] = await Promise.all([furnishedWorkspace(), newWorkspace()]);
});

afterEach(() => void vi.useRealTimers());

describe.each(samples)("$name: PERMISSION_DENIED", (endpoint) => {
  const refusals: [string, string, () => string | undefined][] = [
    ["a missing API key", apiKeyHeader, () => undefined],
    ["an empty API key", apiKeyHeader, () => ""],
    ["an API key given twice", apiKeyHeader, () => `${alice.apiKey},${alice.apiKey}`],
    ["an unknown API key", apiKeyHeader, () => "ws_unknown"],
    ["an API key of 10,000 characters", apiKeyHeader, () => "k".repeat(10_000)],
    ["a missing auth token", authTokenHeader, () => undefined],
    ["an empty auth token", authTokenHeader, () => ""],
    ["an auth token given twice", authTokenHeader, () => `${alice.authToken},${alice.authToken}`],
    ["a wrong auth token", authTokenHeader, () => "at_wrong"],
    ["another workspace's auth token", authTokenHeader, () => bob.authToken],
    ["the hash of an auth token", authTokenHeader, () => AuthToken.hashOf(alice.authToken)],
  ];

  it.each(refusals)("is returned for %s and names its header", async (_, header, value) => {
    const reply = await callValid(endpoint, { as: alice, headers: { [header]: value() } });
    expectRefused(reply, "PERMISSION_DENIED", header);
    expect(reply.body.error).not.toHaveProperty("details");
  });

  it("names the token's header when the API key is another workspace's", async () => {
    const reply = await callValid(endpoint, { as: { apiKey: bob.apiKey, authToken: alice.authToken } });
    expectRefused(reply, "PERMISSION_DENIED", authTokenHeader);
  });

  it("is returned before any error in the body, in every encoding", async () => {
    const as = { ...alice, authToken: "at_wrong" };
    const broken = [
      { body: "{" },
      { body: "" },
      { data: null },
      { body: gzipSync("{").toString("base64"), isBase64Encoded: true, headers: { "content-encoding": "gzip" } },
      { body: "no gzip", headers: { "content-encoding": "gzip" } },
      { body: "/w==", isBase64Encoded: true },
      { headers: { "content-type": "text/plain" } },
      { body: "x".repeat(8 * 1_024 * 1_024 + 1) },
    ];
    for (const options of broken) expectRefused(await call(endpoint, { as, ...options }), "PERMISSION_DENIED");
  });
});

it.each(others)("$name: PERMISSION_DENIED is returned for a token of another workspace", async (endpoint) => {
  const reply = await callValid(endpoint, { as: { apiKey: bob.apiKey, authToken: alice.authToken } });
  expectRefused(reply, "PERMISSION_DENIED", authTokenHeader);
});

describe("the cached check of credentials", () => {
  const endpoint = named("authtokens-get");

  it("accepts a revoked token for 30 seconds and no longer", async () => {
    const as = { apiKey: alice.apiKey, ...(await AuthToken.create({ workspace: alice.apiKey })) };
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    expect((await callValid(endpoint, { as })).status).toBe(200);
    await AuthToken.revoke({ workspace: as.apiKey }, AuthToken.hashOf(as.authToken));
    vi.setSystemTime(start + 29_999);
    expect((await callValid(endpoint, { as })).status).toBe(200);
    vi.setSystemTime(start + 30_000);
    expectRefused(await callValid(endpoint, { as }), "PERMISSION_DENIED", authTokenHeader);
  });

  it("never caches a refusal, so a new token works immediately", async () => {
    const { authToken } = await AuthToken.create({ workspace: alice.apiKey });
    const as = { apiKey: alice.apiKey, authToken };
    await AuthToken.revoke({ workspace: as.apiKey }, AuthToken.hashOf(authToken));
    expectRefused(await callValid(endpoint, { as }), "PERMISSION_DENIED");
    await restore(as);
    expect((await callValid(endpoint, { as })).status).toBe(200);
  });

  it("does not accept one workspace's token for another", async () => {
    expect((await callValid(endpoint, { as: alice })).status).toBe(200);
    const crossed = { apiKey: bob.apiKey, authToken: alice.authToken };
    expectRefused(await callValid(endpoint, { as: crossed }), "PERMISSION_DENIED", authTokenHeader);
  });
});

it("a call with a wrong token changes nothing", async () => {
  const carol = await furnishedWorkspace();
  const before = await storedOf(carol);
  for (const endpoint of posts) await callValid(endpoint, { as: { ...carol, authToken: "at_wrong" } });
  expect(await storedOf(carol)).toEqual(before);
});

it("the log has no credential, header or body, whether a call succeeds or fails", async () => {
  const carol = await furnishedWorkspace();
  const tableName = process.env.TABLE_NAME;
  for (const endpoint of posts) {
    await callValid(endpoint, { as: carol });
    await call(endpoint, { as: carol, body: `{"data":"${providerToken}` });
    await callValid(endpoint, { as: { ...carol, apiKey: bob.apiKey } });
    process.env.TABLE_NAME = "missing";
    await callValid(endpoint, { as: { ...carol, authToken: `${carol.authToken}x` } });
    process.env.TABLE_NAME = tableName;
  }
  expect(logText()).toContain('"INTERNAL"');
  for (const secret of [carol.authToken, AuthToken.hashOf(carol.authToken), providerToken, "ada@example.com"]) {
    expect(logText()).not.toContain(secret);
  }
});

/** Stores a revoked token again. The service itself never does. */
async function restore({ apiKey, authToken }: Credentials): Promise<void> {
  const hash = AuthToken.hashOf(authToken);
  const createdAt = new Date().toISOString();
  const token = { hash, name: "", prefix: "at_", scopes, createdAt };
  await commit([AuthToken.authTokenEntity.put({ workspace: apiKey, hash }, token)]);
}
