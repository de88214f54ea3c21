import { describe, expect, it } from "vitest";
import { usersDataGet } from "../../../functions/personal-data/users-data-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { handler, usersUpdate } from "../../../functions/users/users-update.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { storedOf } from "../../support/refusal.ts";
import * as f from "../../support/workspace.ts";

const update = (as: Credentials, users: unknown[], more: object = {}) =>
  must(usersUpdate, { as, data: { organizationId: "o", users, ...more } });
const usersOf = async (as: Credentials) => (await must(usersGet, { as, data: { organizationId: "o" } })).users;
const updated = (id: string) => ({ success: true, id, message: "User updated." });
const refused = (code: string) => expect.objectContaining({ success: false, code });

/** A workspace whose organization `o` has the user `u`. */
async function withUser(fields: object = {}): Promise<Credentials> {
  const as = await f.newOrganization();
  await must(usersAdd, { as, data: { organizationId: "o", users: [{ userId: "u", ...fields }] } });
  return as;
}

describe("OK", () => {
  it("changes the given fields and keeps the others", async () => {
    const as = await withUser({ name: "Ada", email: "a@example.com", accessRole: "viewer", isAdmin: true });
    expect(await update(as, [{ userId: "u", name: "Grace" }])).toEqual({ u: updated("u") });
    const expected = { userId: "u", name: "Grace", email: "a@example.com", accessRole: "viewer", isAdmin: true };
    expect(await usersOf(as)).toEqual([expected]);
    await update(as, [{ userId: "u", isAdmin: false, email: null }]);
    expect(await usersOf(as)).toEqual([{ ...expected, isAdmin: false }]);
  });

  it.each([
    ["organization", {}],
    ["folder", { folderId: "f" }],
    ["document", { documentId: "d" }],
  ])("keeps expiry and access fields when the role on the %s changes", async (_what, where) => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    const user = { userId: "u", expiresAt: 9e10, context: { access: { team: "red" } } };
    await must(usersAdd, { as, data: { organizationId: "o", users: [user], ...where } });
    await update(as, [{ userId: "u", accessRole: "viewer" }], where);
    const { u } = await f.permissionsOf(as, { userIds: ["u"], folderIds: ["f"], documentIds: ["d"] });
    const entries = { ...u.folders, ...u.documents, ...u.organization };
    const entry = entries[Object.values(where)[0] ?? "o"];
    expect(entry).toEqual({ accessRole: "viewer", accessType: "organizationPrivate", expiresAt: 9e10 });
    expect(u.context).toEqual({ accessFields: ["team:red"] });
  });

  it("treats an expired grant as absent, so a new role does not expire with it", async () => {
    const as = await withUser({ expiresAt: 1, isAdmin: true });
    await update(as, [{ userId: "u", accessRole: "viewer" }]);
    expect(await usersOf(as)).toEqual([{ userId: "u", accessRole: "viewer", isAdmin: false }]);
  });

  it("keeps no expiry of an expired grant on a document", async () => {
    const as = await withUser({ accessRole: "viewer" });
    await f.addDocuments(as, undefined, "d");
    await f.give(as, "u", f.onDocument("d", { expiresAt: Math.floor(Date.now() / 1_000) - 1 }));
    await update(as, [{ userId: "u", accessRole: "editor" }], { documentId: "d" });
    const entry = await f.onOne(as, "u", "d");
    expect(entry).toMatchObject({ accessRole: "editor" });
    expect(entry).not.toHaveProperty("expiresAt");
  });

  it("creates a missing grant on a folder and on a document", async () => {
    const as = await withUser({ accessRole: "viewer" });
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    await update(as, [{ userId: "u", accessRole: "editor" }], { folderId: "f" });
    await update(as, [{ userId: "u", accessRole: "editor", expiresAt: 9e10 }], { documentId: "d" });
    const { u } = await f.permissionsOf(as, { userIds: ["u"], folderIds: ["f"], documentIds: ["d"] });
    expect(u.folders.f).toMatchObject({ accessRole: "editor" });
    expect(u.documents.d).toMatchObject({ accessRole: "editor", expiresAt: 9e10 });
    expect(u.organization.o).toMatchObject({ accessRole: "viewer" });
  });

  it.each([
    ["document", { documentId: "d" }],
    ["folder", { folderId: "f" }],
  ])("reports a missing %s per item, and stores nothing", async (what, where) => {
    const [as, other] = [await withUser(), await f.newOrganization()];
    await f.addDocuments(other, undefined, "d");
    await f.addFolders(other, { folderId: "f" });
    const missing = { success: false, id: "u", message: `The ${what} does not exist.`, code: "not-found" };
    const before = await storedOf(as);
    expect(await update(as, [{ userId: "u", name: "x", accessRole: "viewer" }], where)).toEqual({ u: missing });
    // A grant only reserves the id of its document.
    if (what === "document") {
      await f.give(as, "v", f.onDocument("d"));
      expect(await update(as, [{ userId: "u", accessRole: "viewer" }], where)).toEqual({ u: missing });
    } else expect(await storedOf(as)).toEqual(before);
    expect((await update(as, [{ userId: "u" }], where)).u).toEqual(refused("nothing-to-update"));
  });

  it("does not revive a grant of an earlier generation", async () => {
    const as = await withUser();
    await f.addDocuments(as, undefined, "d");
    await f.give(as, "u", f.onDocument("d", { expiresAt: 9e10 }));
    await must(usersDelete, { as, data: { organizationId: "o", userIds: ["u"] } });
    await must(usersAdd, { as, data: { organizationId: "o", users: [{ userId: "u" }] } });
    expect((await update(as, [{ userId: "u", expiresAt: 9e10 }], { documentId: "d" })).u).toEqual(refused("no-grant"));
    await update(as, [{ userId: "u", accessRole: "viewer" }], { documentId: "d" });
    expect(await f.onOne(as, "u", "d")).toEqual({ accessRole: "viewer", accessType: "organizationPrivate" });
  });

  it.each([
    ["organization", {}, f.onOrganization()],
    ["folder", { folderId: "f" }, f.onFolder("f")],
    ["document", { documentId: "d" }, f.onDocument("d")],
  ])("changes the role of a user who has only a grant on the %s, and makes no profile", async (_what, where, grant) => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    const expiresAt = 9e10;
    await f.give(as, "guest", { ...grant, expiresAt });
    expect(await update(as, [{ userId: "guest", accessRole: "viewer" }], where)).toEqual({ guest: updated("guest") });
    const asked = { userIds: ["guest"], folderIds: ["f"], documentIds: ["d"] };
    const { folders, documents, organization } = (await f.permissionsOf(as, asked)).guest;
    const entries = { organization: organization.o, folder: folders.f, document: documents.d };
    expect(entries[grant.type as keyof typeof entries]).toMatchObject({ accessRole: "viewer", expiresAt });
    expect(await usersOf(as)).toEqual([]);
  });

  it("makes the profile of a user who has only a grant from a name, an address or a further field", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    const changes = { named: { name: "N" }, mailed: { email: "m@example.com" }, tagged: { team: "red" } };
    for (const userId of Object.keys(changes)) await f.give(as, userId, f.onDocument("d"));
    await update(
      as,
      Object.entries(changes).map(([userId, change]) => ({ userId, ...change })),
    );
    const expected = { named: { name: "N" }, mailed: changes.mailed, tagged: { properties: { team: "red" } } };
    for (const [userId, fields] of Object.entries(expected))
      expect(await usersOf(as)).toContainEqual({ userId, isAdmin: false, ...fields });
  });

  it("reports a user without a grant who was deleted, like a missing one", async () => {
    const as = await f.newOrganization();
    await f.give(as, "guest", f.onOrganization());
    await must(usersDelete, { as, data: { organizationId: "o", userIds: ["guest"] } });
    expect((await update(as, [{ userId: "guest", accessRole: "viewer" }])).guest).toEqual(refused("not-found"));
  });

  it("reports a missing user per item, for every kind of change", async () => {
    const as = await withUser();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    const changes = [{ name: "x" }, { accessRole: "viewer" }, { expiresAt: 9e10 }, { isAdmin: true }];
    for (const change of changes) {
      for (const where of [{}, { documentId: "d" }, { folderId: "f" }]) {
        const users = ["no", "u"].map((userId) => ({ userId, accessRole: "viewer", ...change }));
        const results = await update(as, users, where);
        expect(results).toMatchObject({ no: refused("not-found"), u: { success: true } });
      }
      expect((await update(as, [{ userId: "no", ...change }])).no).toMatchObject({
        code: "not-found",
        message: "The user does not exist: add it with users/add.",
      });
    }
    expect(await usersOf(as)).toHaveLength(1);
  });

  it("reports a missing organization, and another workspace's user, like a missing user", async () => {
    await withUser();
    const bob = await f.newOrganization();
    const results = await update(bob, [{ userId: "u", name: "x" }]);
    expect(results.u).toEqual(refused("not-found"));
    expect(await update(bob, [{ userId: "u", name: "x" }], { organizationId: "no" })).toEqual(results);
  });

  it("reports an entry without a change, such as isAdmin on a document", async () => {
    const as = await withUser();
    expect((await update(as, [{ userId: "u", name: null }])).u).toEqual(refused("nothing-to-update"));
    const results = await update(as, [{ userId: "u", isAdmin: true }], { documentId: "d" });
    expect(results.u).toEqual(refused("nothing-to-update"));
  });

  it("says that isAdmin has no effect on a folder or document", async () => {
    const as = await withUser();
    await f.addFolders(as, { folderId: "f" });
    const { u } = await update(as, [{ userId: "u", name: "Ada", isAdmin: true }], { folderId: "f" });
    expect(u).toEqual({ success: true, id: "u", message: "User updated. isAdmin has no effect on a folder." });
    const only = await update(as, [{ userId: "u", isAdmin: true }], { folderId: "f" });
    const message = "The entry has no field to update: send at least one. isAdmin has no effect on a folder.";
    expect(only.u).toMatchObject({ success: false, message });
    expect(await usersOf(as)).toMatchObject([{ name: "Ada", isAdmin: false }]);
  });

  it("refuses an update without a role when the user has no active grant", async () => {
    const as = await withUser({ expiresAt: 1 });
    await f.addFolders(as, { folderId: "f" });
    expect((await update(as, [{ userId: "u", isAdmin: true }])).u).toEqual(refused("no-grant"));
    expect((await update(as, [{ userId: "u", expiresAt: 9e10 }], { folderId: "f" })).u).toEqual(refused("no-grant"));
  });

  it("applies the first entry of a repeated id", async () => {
    const as = await withUser();
    const results = await update(as, [
      { userId: "u", name: "first" },
      { userId: "u", name: "second" },
    ]);
    expect(results).toEqual({ u: updated("u") });
    expect(await usersOf(as)).toMatchObject([{ name: "first" }]);
  });

  it("accepts any id", async () => {
    const as = await f.newOrganization();
    const users = f.oddIds.map((userId) => ({ userId, name: "x" }));
    await must(usersAdd, { as, data: { organizationId: "o", users } });
    await f.addFolders(as, { folderId: "#" });
    await f.addDocuments(as, undefined, "__proto__");
    for (const where of [{}, { documentId: "__proto__" }, { folderId: "#" }]) {
      const results = Object.entries(await update(as, users, where));
      expect(results.toSorted()).toEqual(f.oddIds.map((id) => [id, updated(id)]).toSorted());
    }
  });
});

describe("further fields", () => {
  const exported = async (as: Credentials) =>
    (await call(usersDataGet, { as, data: { organizationId: "o", userId: "u" } })).body.result.data.profile.properties;
  const shown = async (as: Credentials) => (await usersOf(as))[0].properties;

  it("are kept by name, shown with the user and in the export, and unset by null", async () => {
    const as = await withUser({ name: "Ada" });
    await update(as, [{ userId: "u", photoUrl: "https://x.org/a.png", color: { h: 1e-300 } }]);
    await update(as, [{ userId: "u", color: "teal", age: 7, name: "Grace" }]);
    const expected = { photoUrl: "https://x.org/a.png", color: "teal", age: 7 };
    expect(await usersOf(as)).toMatchObject([{ userId: "u", name: "Grace", properties: expected }]);
    expect(await exported(as)).toEqual(expected);
    await update(as, [{ userId: "u", color: null }]);
    expect(await shown(as)).toEqual({ photoUrl: expected.photoUrl, age: 7 });
    await update(as, [{ userId: "u", photoUrl: null, age: null }]);
    expect(await shown(as)).toBeUndefined();
  });

  it("of two updates at once are both kept", async () => {
    const as = await withUser();
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => update(as, [{ userId: "u", [name]: 1 }])));
    expect(Object.keys(await shown(as)).sort()).toEqual(names);
  });

  it("end with the user", async () => {
    const as = await withUser();
    await update(as, [{ userId: "u", color: "teal" }]);
    await must(usersDelete, { as, data: { organizationId: "o", userIds: ["u"] } });
    await must(usersAdd, { as, data: { organizationId: "o", users: [{ userId: "u" }] } });
    expect(await shown(as)).toBeUndefined();
    await update(as, [{ userId: "u", age: 7 }]);
    expect(await shown(as)).toEqual({ age: 7 });
  });

  it("can be sent as a reply shows them, under properties; a field beside them counts first", async () => {
    const as = await withUser();
    await update(as, [{ userId: "u", age: 7, color: "teal" }]);
    const properties = { age: null, name: "not the user's", color: "red", nested: { properties: { deep: 1 } } };
    await update(as, [{ userId: "u", properties, color: "blue" }]);
    expect(await usersOf(as)).toEqual([
      {
        userId: "u",
        isAdmin: false,
        accessRole: "editor",
        properties: { ...properties, age: undefined, color: "blue" },
      },
    ]);
    await update(as, [{ userId: "u", properties: null, name: "Ada" }]);
    expect(await shown(as)).toEqual({ ...properties, age: undefined, color: "blue" });
    for (const other of ["text", ["list"], 5]) {
      const data = { organizationId: "o", users: [{ userId: "u", properties: other }] };
      expect(await f.issuesOf(usersUpdate, as, data)).toEqual(["users.0.properties"]);
    }
  });

  it("with the names of what the service sets are ignored and named", async () => {
    const as = await withUser();
    const own = { organizationId: "other", createdAt: "2020-01-01", updatedAt: { any: 1 }, generation: 9 };
    const data = { organizationId: "o", users: [{ userId: "u", name: "Ada", ...own }, { userId: "u" }] };
    const reply = await call(usersUpdate, { as, data });
    expect(reply.data).toEqual({ u: updated("u") });
    const names = Object.keys(own).map((name) => `users.${name}`);
    expect(reply.headers["x-ignored-fields"]?.split(",").sort()).toEqual(names.sort());
    expect(await usersOf(as)).toEqual([{ userId: "u", name: "Ada", isAdmin: false, accessRole: "editor" }]);
    expect(await exported(as)).toBeUndefined();
  });

  it("are refused above 8 KB, in one request and together", async () => {
    const as = await withUser();
    const half = "x".repeat(5_000);
    const rest = "x".repeat(8_192 - JSON.stringify({ one: half, two: "" }).length);
    await update(as, [{ userId: "u", one: half }]);
    expect((await update(as, [{ userId: "u", two: `${rest}x` }])).u).toEqual(refused("properties-too-large"));
    expect(await shown(as)).toEqual({ one: half });
    expect((await update(as, [{ userId: "u", two: rest }])).u).toEqual(updated("u"));
    const issues = (more: object) =>
      f.issuesOf(usersUpdate, as, { organizationId: "o", users: [{ userId: "u", ...more }] });
    expect(await issues({ one: half, two: half })).toEqual(["users.0"]);
    expect(await issues({ one: half, properties: { two: half } })).toEqual(["users.0"]);
  });
});

describe("a user as users/get shows it", () => {
  it("can be sent back, also without a grant or a name", async () => {
    const as = await withUser();
    await must(usersAdd, { as, data: { organizationId: "o", documentId: "d", users: [{ userId: "guest" }] } });
    const before = await usersOf(as);
    expect(before).toContainEqual({ userId: "guest", isAdmin: false });
    expect(await update(as, before)).toEqual({ u: updated("u"), guest: updated("guest") });
    expect(await usersOf(as)).toEqual(before);
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["an empty list of users", { organizationId: "o", users: [] }, ["users"]],
    ["1,001 users", { organizationId: "o", users: Array(1_001).fill({ userId: "u" }) }, ["users"]],
    [
      "both a document and a folder",
      { organizationId: "o", users: [{ userId: "u" }], documentId: "d", folderId: "f" },
      ["folderId"],
    ],
    ["an unknown role", { organizationId: "o", users: [{ userId: "u", accessRole: "owner" }] }, ["users.0.accessRole"]],
    ["an empty request", {}, ["organizationId", "users"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(usersUpdate, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("reads users, document and grants, and writes each user with its grant", async () => {
    const aws = mockAws([...f.mocked.rows, f.mocked.document, f.mockedUser("u")]);
    const data = { organizationId: "o", documentId: "d", users: [{ userId: "u", accessRole: "viewer" }] };
    expect(await f.callSource(handler, usersUpdate, data)).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      `BatchGet ${f.keyText.user("u")}, W#w#O#o ORG, ${f.keyText.document("d")}, ${f.keyText.beingErased("u")}`,
      "Get W#w#X#x GRANT#u",
      `TransactWrite Update ${f.keyText.user("u")} if {any createdAt & no generation}, Put W#w#X#x GRANT#u if absent`,
    ]);
    aws.restore();
  });
});
