import { describe, expect, it } from "vitest";
import { handler, usersAdd } from "../../../functions/access/users-add.ts";
import { usersGet } from "../../../functions/access/users-get.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const dataOf = (users: unknown[], more: object = {}) => ({ organizationId: "o", users, ...more });
const add = (as: Credentials, users: unknown[], more?: object) => must(usersAdd, { as, data: dataOf(users, more) });
const usersOf = async (as: Credentials) => (await must(usersGet, { as, data: { organizationId: "o" } })).users;
const added = (id: string) => ({ success: true, id, message: "User added." });

describe("OK", () => {
  it("adds users with profile and access to the organization, by default as editors", async () => {
    const as = await f.newOrganization();
    const viewer = { userId: "v", accessRole: "viewer", expiresAt: 9e10, isAdmin: true };
    const users = [{ userId: "u", name: "Ada", email: "ada@example.com" }, viewer];
    expect(await add(as, users)).toEqual({ u: added("u"), v: added("v") });
    expect(await usersOf(as)).toEqual(
      expect.arrayContaining([{ ...users[0], accessRole: "editor", isAdmin: false }, viewer]),
    );
  });

  it("stores a grant on the given document or folder only, and makes nobody a member or admin", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    await add(as, [{ userId: "u", isAdmin: true }], { documentId: "d" });
    await add(as, [{ userId: "v", accessRole: "viewer" }], { folderId: "f" });
    const asked = { userIds: ["u", "v"], folderIds: ["f"], documentIds: ["d"] };
    const { u, v } = await f.permissionsOf(as, asked);
    const denied = { errorCode: "permission_denied" };
    expect(u).toMatchObject({
      documents: { d: { accessRole: "editor" } },
      folders: { f: denied },
      organization: { o: denied },
    });
    expect(v).toMatchObject({
      documents: { d: denied },
      folders: { f: { accessRole: "viewer" } },
      organization: { o: denied },
    });
  });

  it("stores a grant on a document that does not exist yet", async () => {
    const as = await f.newOrganization();
    await add(as, [{ userId: "u" }], { documentId: "d" });
    await f.addDocuments(as, undefined, "d");
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "editor" });
  });

  it("reports an existing user per item with a code, and does not change the user", async () => {
    const as = await f.newOrganization();
    await add(as, [{ userId: "u", name: "Ada", accessRole: "viewer" }]);
    const before = await usersOf(as);
    const again = { userId: "u", name: "Eve", isAdmin: true };
    const results = await add(as, [again, { userId: "v" }]);
    expect(results).toEqual({
      u: { success: false, id: "u", message: "The user already exists.", code: "already-exists" },
      v: added("v"),
    });
    expect((await add(as, [again], { documentId: "d" })).u.success).toBe(false);
    await f.addDocuments(as, undefined, "d");
    expect((await usersOf(as)).filter(({ userId }: { userId: string }) => userId === "u")).toEqual(before);
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "viewer" });
  });

  it("applies the first entry of a repeated id", async () => {
    const as = await f.newOrganization();
    expect(await add(as, [{ userId: "u", name: "first" }, { userId: "u" }])).toEqual({ u: added("u") });
    expect(await usersOf(as)).toMatchObject([{ name: "first" }]);
  });

  it("adds a profile to a user who had only a grant", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onOrganization({ expiresAt: 9e10 }));
    await add(as, [{ userId: "u", accessRole: "viewer" }]);
    expect(await usersOf(as)).toEqual([{ userId: "u", accessRole: "viewer", isAdmin: false }]);
  });

  it("creates the organization with createOrganization", async () => {
    const as = await newWorkspace();
    await add(as, [{ userId: "u" }], { createOrganization: true });
    await add(as, [{ userId: "v" }], { createOrganization: true });
    expect(await usersOf(as)).toHaveLength(2);
  });

  it("accepts any id, null for optional fields, and unknown fields", async () => {
    const as = await f.newOrganization();
    const results = await add(
      as,
      f.oddIds.map((userId) => ({ userId, name: null, expiresAt: null, unknown: 1 })),
    );
    expect(Object.entries(results).toSorted()).toEqual(f.oddIds.map((id) => [id, added(id)]).toSorted());
    const listed = (await usersOf(as)).map(({ userId }: { userId: string }) => userId);
    expect(listed.toSorted()).toEqual(f.oddIds.toSorted());
  });

  it("accepts 1,000 users", async () => {
    const as = await f.newOrganization();
    const users = Array.from({ length: 1_000 }, (_, index) => ({ userId: `u${index}` }));
    const results = Object.values(await add(as, users)) as { success: boolean }[];
    expect(results.filter(({ success }) => success)).toHaveLength(1_000);
  });
});

describe("NOT_FOUND", () => {
  it("is returned for an organization that only another workspace has", async () => {
    await f.newOrganization();
    const reply = await call(usersAdd, { as: await newWorkspace(), data: dataOf([{ userId: "u" }]) });
    expect(reply).toMatchObject({ status: 404, error: { message: "The organization does not exist." } });
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["an empty list of users", dataOf([]), ["users"]],
    ["1,001 users", dataOf(Array(1_001).fill({ userId: "u" })), ["users"]],
    ["both a document and a folder", dataOf([{ userId: "u" }], { documentId: "d", folderId: "f" }), ["folderId"]],
    [
      "invalid fields",
      dataOf([{ name: 1 }, { userId: "", isAdmin: "yes" }]),
      ["users.0.userId", "users.0.name", "users.1.userId", "users.1.isAdmin"],
    ],
    ["an expiresAt in milliseconds", dataOf([{ userId: "u", expiresAt: 1.7e12 }]), ["users.0.expiresAt"]],
    ["an empty request", {}, ["organizationId", "users"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(usersAdd, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("reads organization, users and document, and writes each user's profile with its grant", async () => {
    const aws = mockAws([...f.mocked.rows, f.mocked.document]);
    expect(await f.callSource(handler, usersAdd, dataOf([{ userId: "u" }], { documentId: "d" }))).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      "Get W#w#O#o ORG",
      `BatchGet ${f.keyText.user("u")}, ${f.keyText.document("d")}`,
      `TransactWrite Update ${f.keyText.user("u")} if {no createdAt & no erasureJobId & no generation}, Put W#w#X#x GRANT#u`,
    ]);
    aws.restore();
  });
});
