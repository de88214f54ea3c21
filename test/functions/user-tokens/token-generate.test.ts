import { createPublicKey, hash } from "node:crypto";
import jwt from "jsonwebtoken";
import { afterEach, describe, expect, it, vi } from "vitest";
import { jwksGet } from "../../../functions/user-tokens/jwks-get.ts";
import { handler, tokenGenerate } from "../../../functions/user-tokens/token-generate.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

afterEach(() => void vi.useRealTimers());

async function keysOf({ apiKey }: Credentials) {
  return (await call(jwksGet, { pathParameters: { apiKey } })).body.keys;
}

/** The token's claims, verified by another library with the published key. */
async function verified(as: Credentials, token: string) {
  const [key] = await keysOf(as);
  const publicKey = createPublicKey({ key, format: "jwk" });
  return jwt.verify(token, publicKey, { algorithms: ["ES256"], audience: as.apiKey, complete: true });
}

const noEffect = " isAdmin has no effect: no organization is among the resources, or its grant has ended.";

const usersOf = async (as: Credentials) => (await must(usersGet, { as, data: { organizationId: "o" } })).users;

describe("OK", () => {
  it("returns a token with user, workspace and permissions with defaults, valid for 48 hours", async () => {
    const as = await newWorkspace();
    vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_999 });
    const resources = [f.onOrganization(), f.onDocument("d", { accessRole: "viewer", expiresAt: 9e10 })];
    const { header, payload } = await verified(as, (await f.giveToken(as, { resources })).data.token);
    expect(header).toEqual({ alg: "ES256", typ: "JWT", kid: (await keysOf(as))[0].kid });
    expect(payload).toEqual({
      iss: "https://api.example.com",
      aud: as.apiKey,
      sub: "u",
      iat: 1_700_000_000,
      exp: 1_700_000_000 + 48 * 3_600,
      name: "Ada",
      email: "ada@example.com",
      jti: expect.stringMatching(/^[\w-]{36}$/),
      isAdmin: false,
      organizations: [{ id: "o", generation: 0, isAdmin: false }],
      permissions: { resources: [{ ...resources[0], accessRole: "editor" }, resources[1]] },
    });
  });

  it("claims isAdmin as it was sent, and with effect only in the organizations among the request's resources", async () => {
    const as = await newWorkspace();
    const claims = async (...resources: object[]) =>
      jwt.decode((await f.giveToken(as, { userProperties: { isAdmin: true }, resources })).data.token);
    const elsewhere = f.onDocument("d", { organizationId: "o2" });
    expect(await claims()).toMatchObject({ isAdmin: true, organizations: [] });
    expect(await claims(elsewhere)).toMatchObject({
      isAdmin: true,
      organizations: [{ id: "o2", generation: 0, isAdmin: false }],
    });
    expect(await claims(f.onOrganization(), elsewhere)).toMatchObject({
      isAdmin: true,
      organizations: [
        { id: "o", generation: 0, isAdmin: true },
        { id: "o2", generation: 0, isAdmin: false },
      ],
    });
  });

  it.each([
    ["", true, [f.onOrganization()]],
    ["", false, []],
    [noEffect, true, []],
    [noEffect, true, [f.onDocument("d"), f.onFolder("f")]],
    [noEffect, true, [f.onOrganization({ expiresAt: 1_000 })]],
  ])("says%s where isAdmin is %s in %j", async (said, isAdmin, resources) => {
    const reply = await f.giveToken(await newWorkspace(), { userProperties: { isAdmin }, resources });
    expect(reply.body.result.message).toBe(`Token generated.${said}`);
  });

  it("claims and stores an expiresAt without its fraction", async () => {
    const as = await newWorkspace();
    const resources = [f.onOrganization({ expiresAt: 9e10 + 0.5 }), f.onDocument("d", { expiresAt: 9e10 + 0.9 })];
    const { token } = (await f.giveToken(as, { resources })).data;
    expect(jwt.decode(token)).toMatchObject({
      organizations: [{ expiresAt: 9e10 }],
      permissions: { resources: [{ expiresAt: 9e10 }, { expiresAt: 9e10 }] },
    });
    expect((await usersOf(as))[0].expiresAt).toBe(9e10);
  });

  it("claims isAdmin in an organization until the grant on it ends, and not after it", async () => {
    const as = await newWorkspace();
    const claims = async (expiresAt: number) => {
      const resources = [f.onOrganization({ expiresAt })];
      return jwt.decode((await f.giveToken(as, { userProperties: { isAdmin: true }, resources })).data.token);
    };
    const later = Math.floor(Date.now() / 1_000) + 3_600;
    for (const [expiresAt, isAdmin] of [[later, true] as const, [1_000, false] as const]) {
      const organizations = [{ id: "o", generation: 0, isAdmin, expiresAt }];
      expect(await claims(expiresAt)).toMatchObject({ isAdmin: true, organizations });
    }
  });

  it("claims the user's generation in each organization, and a new id in each token", async () => {
    const as = await newWorkspace();
    const resources = [f.onOrganization(), f.onDocument("d", { organizationId: "o2" })];
    const claims = async () => jwt.decode((await f.giveToken(as, { resources })).data.token) as jwt.JwtPayload;
    const first = await claims();
    await must(usersDelete, { as, data: { organizationId: "o", userIds: ["u"] } });
    const second = await claims();
    const generations = second.organizations.map((each: { generation: number }) => each.generation);
    expect(generations).toEqual([1, 0]);
    expect(second.jti).not.toBe(first.jti);
  });

  it.each([
    ["permissions", 100, { organizations: expect.arrayContaining([{ id: "o", generation: 0, isAdmin: true }]) }],
    ["permissions and no organizations", 150, { isAdmin: true }],
  ])("has no %s when it would exceed 8 KB, says so, and stores the grants", async (omitted, count, expected) => {
    const as = await newWorkspace();
    const ids = Array.from({ length: count }, (_, index) => `organization-${index}`);
    const many = count === 100 ? ids.map((id) => f.onDocument(id)) : ids.map((id) => ({ type: "organization", id }));
    const resources = [f.onOrganization(), ...many];
    const reply = await f.giveToken(as, { userProperties: { isAdmin: true }, resources });
    const { token } = reply.data;
    expect(reply.data).toEqual({ token: expect.any(String), permissionsOmitted: true });
    expect(reply.body.result.message).toBe(
      `Token generated. It has no ${omitted}, since it would exceed 8 KB: a receiver asks permissions/get.`,
    );
    expect(token.length).toBeLessThanOrEqual(8_192);
    const { payload } = await verified(as, token);
    expect(payload).toMatchObject({ permissionsOmitted: true, sub: "u", name: "Ada", ...expected });
    expect(payload).not.toHaveProperty("permissions");
    if (count === 150) expect(payload).not.toHaveProperty("organizations");
    expect(await f.onWhole(as, "u")).toMatchObject({ accessRole: "editor" });
  });

  it("signs with one key per workspace, also when the first calls are concurrent", async () => {
    const [as, other] = [await newWorkspace(), await newWorkspace()];
    const replies = await Promise.all([f.giveToken(as), f.giveToken(as), f.giveToken(as), f.giveToken(other)]);
    const kids = replies.map(({ data }) => jwt.decode(data.token, { complete: true })?.header.kid);
    expect(new Set(kids.slice(0, 3)).size).toBe(1);
    expect(kids[3]).not.toBe(kids[0]);
    expect((await keysOf(as)).map(({ kid }: { kid: string }) => kid)).toEqual([kids[0]]);
    for (const { data } of replies.slice(0, 3)) await verified(as, data.token);
  });

  it("creates the organization and the user, and stores the grants", async () => {
    const as = await newWorkspace();
    const resources = [f.onOrganization({ accessRole: "viewer" }), f.onFolder("f"), f.onDocument("d")];
    expect((await f.giveToken(as, { resources })).status).toBe(200);
    expect(await usersOf(as)).toEqual([
      { userId: "u", name: "Ada", email: "ada@example.com", isAdmin: false, accessRole: "viewer" },
    ]);
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    const { u } = await f.permissionsOf(as, { userIds: ["u"], folderIds: ["f"], documentIds: ["d"] });
    const held = { accessRole: "editor" };
    expect(u).toMatchObject({
      folders: { f: held },
      documents: { d: held },
      organization: { o: { accessRole: "viewer" } },
    });
  });

  it("updates an existing user and replaces the grant", async () => {
    const as = await newWorkspace();
    await f.giveToken(as, { userProperties: { isAdmin: true }, resources: [f.onOrganization({ expiresAt: 9e10 })] });
    await f.giveToken(as, { userProperties: { name: "Grace" }, resources: [f.onOrganization()] });
    expect(await usersOf(as)).toEqual([
      { userId: "u", name: "Grace", email: "ada@example.com", isAdmin: false, accessRole: "editor" },
    ]);
  });

  it("grants isAdmin only in the organizations among the request's resources", async () => {
    const as = await f.newOrganization();
    const resources = [{ type: "organization", id: "o2" }, f.onFolder("f")];
    await f.giveToken(as, { userProperties: { isAdmin: true }, resources });
    await f.addDocuments(as, undefined, "d");
    expect(await f.onOne(as, "u", "d")).toMatchObject({ errorCode: "permission_denied" });
    const data = await f.permissionsOf(as, { organizationId: "o2", userIds: ["u"] });
    expect(data.u.organization.o2).toMatchObject({ accessRole: "editor" });
  });

  it("does not create the organization of a document or folder", async () => {
    const as = await newWorkspace();
    await f.giveToken(as, { resources: [f.onDocument("d")] });
    expect((await call(usersGet, { as, data: { organizationId: "o" } })).status).toBe(400);
  });

  it("does not make a user with only a document grant a member", async () => {
    const as = await f.newOrganization();
    await f.giveToken(as, { resources: [f.onDocument("d")] });
    expect(await usersOf(as)).toEqual([{ userId: "u", name: "Ada", email: "ada@example.com", isAdmin: false }]);
    expect(await f.onWhole(as, "u")).toMatchObject({ errorCode: "permission_denied" });
  });

  it.each(f.oddIds)("accepts %j as user, organization and document", async (id) => {
    const as = await newWorkspace();
    const resources = [
      { type: "organization", id },
      { type: "document", id, organizationId: id },
    ];
    const { payload } = await verified(as, (await f.giveToken(as, { userId: id, resources })).data.token);
    expect(payload).toMatchObject({ sub: id, permissions: { resources } });
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned with the size when name and email alone exceed 8 KB, and nothing is stored", async () => {
    const as = await newWorkspace();
    const { error } = await f.giveToken(as, {
      userProperties: { name: "x".repeat(6_000) },
      resources: [f.onOrganization()],
    });
    const size = Number(/(\d+) bytes; at most 8192/.exec(error?.message ?? "")?.[1]);
    expect(error?.status).toBe("INVALID_ARGUMENT");
    expect(size).toBeGreaterThan(8_192);
    expect((await call(usersGet, { as, data: { organizationId: "o" } })).status).toBe(400);
    const most = await f.giveToken(as, { userProperties: { name: "x".repeat(5_000) }, resources: [] });
    expect(most.data.token.length).toBeLessThanOrEqual(8_192);
  });

  it("is returned for organizationId among the user's properties", async () => {
    const userProperties = { name: "", email: "", organizationId: "o" };
    const data = { userId: "u", userProperties, permissions: { resources: [] } };
    expect(await f.issuesOf(tokenGenerate, await newWorkspace(), data)).toEqual(["userProperties.organizationId"]);
  });

  it("lists the missing fields", async () => {
    const as = await newWorkspace();
    expect(await f.issuesOf(tokenGenerate, as, {})).toEqual(["userId", "userProperties", "permissions"]);
    const data = { userId: "u", userProperties: {}, permissions: {} };
    const paths = ["userProperties.name", "userProperties.email", "permissions.resources"];
    expect(await f.issuesOf(tokenGenerate, as, data)).toEqual(paths);
  });

  it("is returned for 1,001 resources, an unknown type, milliseconds, or a document without organization", async () => {
    const refused = async (...resources: object[]) => {
      const data = { userId: "u", userProperties: { name: "", email: "" }, permissions: { resources } };
      return (await f.issuesOf(tokenGenerate, await newWorkspace(), data)).join();
    };
    const at = "permissions.resources";
    expect(await refused(...Array(1_001).fill(f.onOrganization()))).toBe(at);
    expect(await refused({ type: "user", id: "u", organizationId: "o" })).toBe(`${at}.0.type`);
    expect(await refused(f.onOrganization({ expiresAt: 1.7e12 }))).toBe(`${at}.0.expiresAt`);
    expect(await refused({ type: "document", id: "d" })).toBe(`${at}.0.organizationId`);
  });
});

describe("AWS calls", () => {
  it("creates the key for the first token, then the organization, the user and the grants", async () => {
    const aws = mockAws(f.mocked.rows);
    const data = {
      userId: "u",
      userProperties: { name: "", email: "" },
      permissions: { resources: [f.onOrganization(), f.onFolder("f")] },
    };
    expect(await f.callSource(handler, tokenGenerate, data)).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      `BatchGet W#w SIGNINGKEY, W#w REVOKED#${hash("sha256", "u", "base64url")}, ${f.keyText.user("u")}, W#w#O#o ORG, ${f.keyText.folder("f")}, ${f.keyText.beingErased("u")}`,
      "TransactWrite Put W#w SIGNINGKEY if absent",
      `TransactWrite Update ${f.keyText.user("u")} if {no generation & no accessRole & no expiresAt}, Put W#w#O#o#UG#u F#f if {generation at most}, Put W#w#O#o#FG#f u`,
      `BatchGet ${f.keyText.user("u")}, W#w#O#o ORG`,
      "GenerateDataKey",
      "Decrypt",
    ]);
    aws.restore();
  });
});
