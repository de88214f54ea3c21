import { afterEach, describe, expect, it, vi } from "vitest";
import { authtokensGet } from "../../../functions/auth-tokens/authtokens-get.ts";
import { authtokensRevoke, handler } from "../../../functions/auth-tokens/authtokens-revoke.ts";
import type { Scope } from "../../../lib/schema/scopes.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { callSource, mocked } from "../../support/workspace.ts";

const dayMs = 24 * 3_600_000;
const idOf = ({ authToken }: Credentials) => AuthToken.idOf(AuthToken.hashOf(authToken));

async function another({ apiKey }: Credentials, rights: AuthToken.Wanted = {}): Promise<Credentials> {
  return { apiKey, ...(await AuthToken.create({ workspace: apiKey }, rights)) };
}

const revoke = (as: Credentials, token: Credentials) => call(authtokensRevoke, { as, data: { tokenId: idOf(token) } });
const idsOf = async ({ apiKey }: Credentials) =>
  (await AuthToken.list({ workspace: apiKey })).map(({ hash }) => AuthToken.idOf(hash)).sort();

afterEach(() => void vi.useRealTimers());

describe("OK", () => {
  it("refuses the token at once where it was not checked before, and after 30 seconds elsewhere", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const as = await newWorkspace();
    const [fresh, checked] = [await another(as), await another(as)];
    await must(authtokensGet, { as: checked });
    for (const token of [fresh, checked]) {
      expect((await revoke(as, token)).data).toEqual({ id: idOf(token), revoked: true });
    }
    expect((await call(authtokensGet, { as: fresh })).error?.status).toBe("PERMISSION_DENIED");
    vi.setSystemTime(Date.now() + 30_000);
    expect((await call(authtokensGet, { as: checked })).error?.status).toBe("PERMISSION_DENIED");
    expect(await idsOf(as)).toEqual([idOf(as)]);
  });

  it("succeeds again for a day, and changes nothing then", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const as = await newWorkspace();
    const token = await another(as);
    await revoke(as, token);
    expect((await revoke(as, token)).status).toBe(200);
    vi.setSystemTime(Date.now() + dayMs + 1_000);
    expect((await revoke(as, token)).error?.status).toBe("NOT_FOUND");
    expect(await idsOf(as)).toEqual([idOf(as)]);
  });

  it("revokes the caller's own token, if another one with the scope admin remains", async () => {
    const as = await newWorkspace();
    const next = await another(as, { scopes: ["admin"] });
    expect((await revoke(as, as)).status).toBe(200);
    expect(await idsOf(as)).toEqual([idOf(next)]);
  });
});

describe("NOT_FOUND", () => {
  it("is returned for an unknown token and for another workspace's", async () => {
    const [as, other] = [await newWorkspace(), await newWorkspace()];
    const theirs = await another(other);
    expect((await revoke(as, theirs)).error?.status).toBe("NOT_FOUND");
    expect((await call(authtokensRevoke, { as, data: { tokenId: "x" } })).error?.status).toBe("NOT_FOUND");
    expect(await idsOf(other)).toHaveLength(2);
  });
});

describe("FAILED_PRECONDITION", () => {
  const inDays = (days: number) => Math.floor((Date.now() + days * dayMs) / 1_000);

  it.each<[string, AuthToken.Wanted[]]>([
    ["no other token", []],
    ["no other token with the scope admin", [{ scopes: ["read", "write"] as Scope[] }]],
    ["only others with the scope admin that end earlier or have ended", [{ expiresAt: inDays(1) }, { expiresAt: 1 }]],
  ])("is returned for a token with the scope admin when there is %s", async (_, others) => {
    const as = await newWorkspace();
    for (const rights of others) await another(as, rights);
    const before = await idsOf(as);
    const { error } = await revoke(as, as);
    expect(error).toMatchObject({ status: "FAILED_PRECONDITION", message: expect.stringContaining("scope admin") });
    expect(await idsOf(as)).toEqual(before);
  });

  it("is not returned when another one lasts as long, nor for a token without the scope or past its end", async () => {
    const as = await newWorkspace();
    const [one, other] = [await another(as, { expiresAt: inDays(1) }), await another(as, { expiresAt: inDays(1) })];
    const [reader, past] = [await another(as, { scopes: ["read"] }), await another(as, { expiresAt: 1 })];
    for (const token of [one, reader, past, other]) expect((await revoke(as, token)).status).toBe(200);
    expect(await idsOf(as)).toEqual([idOf(as)]);
  });

  it("is returned to one of two calls that revoke the last two tokens together", async () => {
    const as = await newWorkspace();
    const [other, caller] = [await another(as), await another(as, { expiresAt: inDays(1) })];
    const replies = await Promise.all([revoke(caller, as), revoke(caller, other)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await idsOf(as)).toHaveLength(2);
  });
});

it("reads the list of tokens and deletes the token with the list's version as its condition", async () => {
  const reader = "0123456789abcdef";
  const row = AuthToken.authTokenEntity.put(
    { workspace: "w", hash: reader },
    { hash: reader, name: "", prefix: "t", createdAt: "now", scopes: ["read"] },
  ).put;
  const aws = mockAws([...mocked.rows, row]);
  await callSource(handler, authtokensRevoke, { tokenId: "0123456789ab" });
  expect(aws.calls().slice(1)).toEqual([
    "Get W#w TOKENS",
    "Query W#w",
    `TransactWrite Delete W#w TOKEN#${reader} if present, Put W#w TOKENGONE#0123456789ab if absent, Update W#w TOKENS if {no version}`,
  ]);
  aws.restore();
});
