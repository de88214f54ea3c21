import { afterEach, describe, expect, it, vi } from "vitest";
import { authtokensCreate, handler } from "../../../functions/auth-tokens/authtokens-create.ts";
import { authtokensGet } from "../../../functions/auth-tokens/authtokens-get.ts";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import type { Scope } from "../../../lib/schema/scopes.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import { dieBeforeCall } from "../../support/aws/edge.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, contextOf, eventOf, must, newWorkspace } from "../../support/call.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { itemsOf } from "../../support/scan.ts";
import { callSource, mocked } from "../../support/workspace.ts";

const dayMs = 24 * 3_600_000;
const inSeconds = (ms: number) => Math.floor((Date.now() + ms) / 1_000);

async function withRights({ apiKey }: Credentials, rights: AuthToken.Wanted): Promise<Credentials> {
  return { apiKey, ...(await AuthToken.create({ workspace: apiKey }, rights)) };
}

const create = (as: Credentials, data: object = {}, headers = {}) => call(authtokensCreate, { as, data, headers });
const namesOf = async ({ apiKey }: Credentials) =>
  (await AuthToken.list({ workspace: apiKey })).map(({ name }) => name).sort();

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("OK", () => {
  it("returns a token in full that works at once, with its scopes only", async () => {
    const as = await newWorkspace();
    const expiresAt = inSeconds(dayMs);
    const { data } = await create(as, { name: "Dashboard", scopes: ["read"], expiresAt });
    const creator = AuthToken.idOf(AuthToken.hashOf(as.authToken));
    const id = AuthToken.idOf(AuthToken.hashOf(data.authToken));
    const record = { id, name: "Dashboard", scopes: ["read"], expiresAt, createdAt: expect.any(String) };
    expect(data).toEqual({ ...record, createdBy: creator, authToken: expect.stringMatching(/^at_[\w-]{43}$/) });
    const own = { ...as, authToken: data.authToken };
    expect((await call(documentsGet, { as: own, data: { organizationId: "o" } })).error?.status).toBe(
      "INVALID_ARGUMENT",
    );
    const organizations = [{ organizationId: "o" }];
    expect((await call(organizationsAdd, { as: own, data: { organizations } })).status).toBe(403);
    expect((await call(authtokensGet, { as: own })).status).toBe(403);
    const { authTokens } = await must(authtokensGet, { as });
    expect(authTokens).toContainEqual({ ...record, createdBy: creator, authToken: `${data.authToken.slice(0, 7)}…` });
  });

  it("gives all three scopes, no end and an empty name by default", async () => {
    const as = await newWorkspace();
    const { data } = await create(as);
    expect(data).toMatchObject({ name: "", scopes: ["read", "write", "admin"], expiresAt: null });
    expect((await create(as, { scopes: ["admin", "read", "admin"] })).data.scopes).toEqual(["read", "admin"]);
  });

  it("accepts a past end: the token never works and is not listed", async () => {
    const as = await newWorkspace();
    const { data } = await create(as, { name: "late", expiresAt: 1 });
    expect((await call(authtokensGet, { as: { ...as, authToken: data.authToken } })).status).toBe(403);
    expect(await namesOf(as)).toEqual([""]);
  });

  it("stores the hash only", async () => {
    const as = await newWorkspace();
    const { data } = await create(as);
    expect(JSON.stringify(await itemsOf(as.apiKey))).not.toContain(data.authToken);
  });
});

describe("PERMISSION_DENIED", () => {
  it("is returned for a token that lacks rights, also with the Idempotency-Key of a call that had them", async () => {
    const as = await newWorkspace();
    const narrow = await withRights(as, { scopes: ["admin"] });
    const key = { "idempotency-key": "create-ci" };
    const { data } = await create(as, { name: "CI" }, key);
    expect((await create(narrow, { name: "CI" }, key)).error?.status).toBe("PERMISSION_DENIED");
    expect((await create(as, { name: "CI" }, key)).data).toEqual(data);
  });

  it.each<[string, Scope[], object, RegExp]>([
    [
      "a scope that the caller lacks",
      ["read", "admin"],
      { scopes: ["write"] },
      /lacks write\. Its scopes: read, admin\./,
    ],
    ["all scopes by default", ["admin"], {}, /lacks read, write\. Its scopes: admin\./],
  ])("is returned for %s", async (_, scopes, data, message) => {
    const as = await newWorkspace();
    const { error } = await create(await withRights(as, { name: "own", scopes }), data);
    expect(error).toMatchObject({ status: "PERMISSION_DENIED", message: expect.stringMatching(message) });
    expect(await namesOf(as)).toEqual(["", "own"]);
  });

  it("is returned for a token that lasts longer than the caller's, or for ever", async () => {
    const as = await newWorkspace();
    const expiresAt = inSeconds(dayMs);
    const own = await withRights(as, { expiresAt });
    for (const data of [{}, { expiresAt: expiresAt + 1 }]) {
      const { error } = await create(own, data);
      expect(error).toMatchObject({ status: "PERMISSION_DENIED", message: expect.stringContaining(String(expiresAt)) });
    }
    expect((await create(own, { expiresAt })).status).toBe(200);
  });
});

describe("RESOURCE_EXHAUSTED", () => {
  it("is returned beyond 100 tokens, for concurrent calls too; expired ones do not count and are deleted", async () => {
    const as = await newWorkspace();
    const add = (count: number, wanted: AuthToken.Wanted) =>
      Promise.all(Array.from({ length: count }, () => AuthToken.create({ workspace: as.apiKey }, wanted)));
    await add(96, { scopes: ["read"] });
    await add(30, { scopes: ["read"], expiresAt: 1 });
    const replies = await Promise.all(Array.from({ length: 5 }, () => create(as)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const { error } = await create(as);
    expect(error?.message).toBe("A workspace has at most 100 auth tokens. Revoke one first.");
    expect(await AuthToken.listStored({ workspace: as.apiKey })).toHaveLength(100);
  });
});

describe("Idempotency-Key", () => {
  const headers = { "idempotency-key": "k" };

  it("returns the same token again, and no other call does", async () => {
    const as = await newWorkspace();
    const first = await create(as, {}, headers);
    expect((await create(as, {}, headers)).data).toEqual(first.data);
    expect((await create(as)).data.authToken).not.toBe(first.data.authToken);
    expect(await namesOf(as)).toHaveLength(3);
  });

  it("returns one working token when the process dies at any call to AWS and the call is repeated", async () => {
    newTableInMemory();
    const options = { data: { name: "made" }, headers };
    for (let at = 0, hasDied = true; hasDied; at++) {
      const as = await newWorkspace();
      const wasReached = dieBeforeCall(at);
      const send = async () => {
        const reply = await handler(
          eventOf(authtokensCreate, { as, ...options }) as never,
          contextOf("authtokens-create") as never,
        );
        return JSON.parse(reply.body).result?.data.authToken as string | undefined;
      };
      const first = await send();
      hasDied = wasReached();
      vi.restoreAllMocks();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 13_000 });
      const second = await send();
      vi.useRealTimers();
      expect(second).toMatch(/^at_/);
      if (first) expect(second).toBe(first);
      const made = (await AuthToken.list({ workspace: as.apiKey })).filter(({ name }) => name === "made");
      expect(made.map(({ hash }) => hash)).toEqual([AuthToken.hashOf(second ?? "")]);
    }
    newTableInMemory();
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["no scope", { scopes: [] }, "scopes"],
    ["an unknown scope", { scopes: ["read", "owner"] }, "scopes.1"],
    ["a time in milliseconds", { expiresAt: 1e12 }, "expiresAt"],
    ["an empty name", { name: "" }, "name"],
  ])("is returned for %s", async (_, data, path) => {
    const { error } = await create(await newWorkspace(), data);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: path.split(".") }] } });
  });
});

it("reads the list of tokens and writes the token with the list's version as its condition", async () => {
  const aws = mockAws(mocked.rows);
  await callSource(handler, authtokensCreate, {});
  expect(aws.calls().slice(1)).toEqual([
    "Get W#w TOKENS",
    "Query W#w",
    expect.stringMatching(/^TransactWrite Put W#w TOKEN#\w+ if absent, Update W#w TOKENS if {no version}$/),
  ]);
  aws.restore();
});
