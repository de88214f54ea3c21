import { beforeAll, describe, expect, it } from "vitest";
import { type Scope, scopes } from "../../lib/schema/scopes.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import { type Credentials, call } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { callValid, dataOf, posts } from "../support/contract/requests.ts";
import { expectRefused, storedOf } from "../support/refusal.ts";

const lackOf = (scope: Scope) => new RegExp(`needs the scope ${scope}\\.`);

async function withScopes({ apiKey }: Credentials, ...own: Scope[]): Promise<Credentials> {
  return { apiKey, ...(await AuthToken.create({ workspace: apiKey }, { scopes: own })) };
}

describe("the scope of each endpoint", () => {
  let alice: Credentials;
  let lacking: Record<Scope, Credentials>;

  beforeAll(async () => {
    alice = await furnishedWorkspace();
    const tokens = await Promise.all(
      scopes.map(
        async (scope) => [scope, await withScopes(alice, ...scopes.filter((each) => each !== scope))] as const,
      ),
    );
    lacking = Object.fromEntries(tokens) as typeof lacking;
  });

  it.each(posts)("$name is refused without its scope, before its fields, and changes nothing", async (endpoint) => {
    const before = await storedOf(alice);
    const as = lacking[endpoint.scope];
    expectRefused(await callValid(endpoint, { as }), "PERMISSION_DENIED", lackOf(endpoint.scope));
    expectRefused(await call(endpoint, { as, body: "{" }), "PERMISSION_DENIED", lackOf(endpoint.scope));
    const keyed = await callValid(endpoint, { as, headers: { "idempotency-key": "k" } });
    expectRefused(keyed, "PERMISSION_DENIED", lackOf(endpoint.scope));
    expect(await storedOf(alice)).toEqual(before);
  });

  it.each(posts)("$name needs no other scope than its own", async (endpoint) => {
    const as = await withScopes(alice, endpoint.scope);
    // The fields are checked after the scope.
    expectRefused(await call(endpoint, { as, body: "{" }), "INVALID_ARGUMENT");
  });
});

it("endpoints of /v2/workspace need admin, every other endpoint needs write exactly if it changes something", () => {
  const callsModel = ["ask-ai", "memory-ask"];
  for (const { name, path, isWrite, scope, grants } of posts) {
    const changes = isWrite || callsModel.includes(name) || grants.includes("file:write");
    const expected = path.startsWith("/v2/workspace/") ? "admin" : changes ? "write" : "read";
    expect({ name, scope }).toEqual({ name, scope: expected });
  }
});

describe("a token in the data", () => {
  const repeating = posts.filter(({ data }) => "authToken" in (data as unknown as { shape: object }).shape);

  it("is in the two endpoints of the contract", () => {
    expect(repeating.map(({ contract }) => contract).sort()).toEqual([5, 6]);
  });

  it.each(repeating)("$name refuses it without the scope write, and changes nothing", async (endpoint) => {
    const alice = await furnishedWorkspace();
    const reader = await withScopes(alice, "read", "admin");
    const before = await storedOf(alice);
    const data = { ...dataOf(endpoint), apiKey: alice.apiKey, authToken: reader.authToken };
    // Once as read from the table, once as cached by a call of the token itself.
    for (const _ of [1, 2]) {
      const reply = await call(endpoint, { as: alice, data });
      expectRefused(
        reply,
        "PERMISSION_DENIED",
        "This call needs the scope write. The token of data.authToken lacks it.",
      );
      await call(endpoint, { as: reader, data });
    }
    expect(await storedOf(alice)).toEqual(before);
    const writer = await withScopes(alice, "write");
    const repeated = { ...dataOf(endpoint), apiKey: alice.apiKey, authToken: writer.authToken };
    expect((await call(endpoint, { as: writer, data: repeated })).status).toBe(200);
  });
});
