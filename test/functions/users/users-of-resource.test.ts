// users/get and users/delete with a document, a folder or user groups.
import { describe, expect, it } from "vitest";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { usersUpdate } from "../../../functions/users/users-update.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const organizationId = "o";
const places = [
  ["document", { documentId: "d" }, f.onDocument("d")],
  ["folder", { folderId: "f" }, f.onFolder("f")],
] as const;
const remove = (as: Credentials, userIds: string[], more: object) =>
  must(usersDelete, { as, data: { organizationId, userIds, ...more } });
const ids = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);

async function arrange(count = 3): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f" });
  await f.addDocuments(as, undefined, "d");
  await must(usersAdd, { as, data: { organizationId, users: ids(count).map((userId) => ({ userId, name: userId })) } });
  return as;
}

/** The sizes of the pages of one list. */
async function sizesOf(as: Credentials, more: object): Promise<number[]> {
  const sizes = [];
  for (let pageToken: string | null | undefined; pageToken !== null; ) {
    const page = await must(usersGet, { as, data: { organizationId, ...more, pageToken } });
    sizes.push(page.users.length);
    pageToken = page.nextPageToken as string | null;
  }
  return sizes;
}

/** All users of the list, in any order. */
async function listed(as: Credentials, more: object): Promise<{ userId: string }[]> {
  const users = [];
  for (let pageToken: string | null | undefined; pageToken !== null; ) {
    const page = await must(usersGet, { as, data: { organizationId, ...more, pageToken } });
    users.push(...page.users);
    pageToken = page.nextPageToken as string | null;
  }
  return users.sort((one, other) => (one.userId < other.userId ? -1 : 1));
}

describe.each(places)("a %s", (what, where, resource) => {
  it("lists the users who have an active grant on it, with its role, page by page", async () => {
    const as = await arrange(5);
    for (const id of ["u0", "u1", "u2", "unknown"]) await f.give(as, id, { ...resource, accessRole: "viewer" });
    await f.give(as, "u1", { ...resource, expiresAt: 9e10 });
    await f.give(as, "u3", { ...resource, expiresAt: 1 });
    await must(usersDelete, { as, data: { organizationId, userIds: ["u2"] } });
    const expected = [
      { userId: "u0", name: "u0", isAdmin: false, accessRole: "viewer" },
      { userId: "u1", name: "u1", isAdmin: false, accessRole: "editor", expiresAt: 9e10 },
      { userId: "unknown", isAdmin: false, accessRole: "viewer" },
    ];
    for (const pageSize of [1, 2, 100]) expect(await listed(as, { ...where, pageSize })).toEqual(expected);
    expect(await listed(as, { ...where, userIds: ["u4", "u1", "u3", "no"] })).toEqual([expected[1]]);
  });

  it("fills its pages past grants that have ended", async () => {
    const as = await arrange(9);
    for (const id of ids(9)) await f.give(as, id, { ...resource, ...(id < "u2" && { expiresAt: 1 }) });
    await must(usersDelete, { as, data: { organizationId, userIds: ["u2", "u3", "u4"] } });
    await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u3" }] } });
    const pages: string[][] = [];
    for (let pageToken: unknown; pageToken !== null; ) {
      const data = { organizationId, ...where, pageSize: 2, ...(pageToken ? { pageToken } : {}) };
      const page = await must(usersGet, { as, data });
      pages.push(page.users.map(({ userId }: { userId: string }) => userId));
      pageToken = page.nextPageToken;
    }
    expect(pages).toEqual([
      ["u5", "u6"],
      ["u7", "u8"],
    ]);
  });

  it("has no page after the last user with an active grant", async () => {
    const as = await arrange(5);
    for (const id of ids(5)) await f.give(as, id, { ...resource, ...(id > "u2" && { expiresAt: 1 }) });
    await must(usersDelete, { as, data: { organizationId, userIds: ["u2"] } });
    expect(await sizesOf(as, { ...where, pageSize: 2 })).toEqual([2]);
    expect(await sizesOf(as, { ...where, pageSize: 1 })).toEqual([1, 1]);
  });

  it("lists the users' properties", async () => {
    const as = await arrange(2);
    for (const id of ids(2)) await f.give(as, id, resource);
    await must(usersUpdate, { as, data: { organizationId, users: [{ userId: "u1", team: "blue" }] } });
    const properties = { team: "blue" };
    for (const more of [{}, { userIds: ids(2) }]) {
      const users = await listed(as, { ...where, ...more });
      expect(users).toEqual([expect.not.objectContaining({ properties }), expect.objectContaining({ properties })]);
    }
  });

  it("loses only the named users' grants on it", async () => {
    const as = await arrange();
    for (const id of ["u0", "u1"]) await f.give(as, id, resource);
    const done = (id: string, message: string) => ({ success: true, id, message });
    expect(await remove(as, ["u0", "u2", "no"], where)).toEqual({
      u0: done("u0", `User removed from the ${what}.`),
      u2: done("u2", `The user has no grant on the ${what}.`),
      no: done("no", `The user has no grant on the ${what}.`),
    });
    expect(await listed(as, where)).toMatchObject([{ userId: "u1" }]);
    expect(await listed(as, {})).toHaveLength(3);
    expect(await f.onWhole(as, "u0")).toMatchObject({ accessRole: "editor" });
  });

  it("that is missing, or another workspace's, has nothing to remove and no list", async () => {
    const [as, bob] = [await f.newOrganization(), await arrange()];
    await f.give(bob, "u0", resource);
    expect(await remove(as, ["u0"], where)).toMatchObject({ u0: { message: `The ${what} does not exist.` } });
    const reply = await call(usersGet, { as, data: { organizationId, ...where } });
    expect(reply.error).toMatchObject({ status: "NOT_FOUND", message: `The ${what} does not exist.` });
    expect(await listed(bob, where)).toHaveLength(1);
  });

  it("has a page token that no other list takes", async () => {
    const as = await arrange();
    for (const id of ids(3)) await f.give(as, id, resource);
    const { nextPageToken } = await must(usersGet, { as, data: { organizationId, ...where, pageSize: 1 } });
    expect(await f.issuesOf(usersGet, as, { organizationId, pageToken: nextPageToken })).toEqual(["pageToken"]);
  });
});

it("a grant that was given before its document existed can be removed", async () => {
  const as = await f.newOrganization();
  await f.give(as, "u", f.onDocument("d"));
  expect((await remove(as, ["u"], { documentId: "d" })).u.message).toBe("User removed from the document.");
  await f.addDocuments(as, undefined, "d");
  expect(await f.onOne(as, "u", "d")).toMatchObject({ errorCode: "permission_denied" });
});

describe("user groups", () => {
  async function withGroups(): Promise<Credentials> {
    const as = await arrange(6);
    const groups = ["g", "h"].map((organizationUserGroupId) => ({ organizationUserGroupId }));
    await must(usergroupsAdd, { as, data: { organizationId, organizationUserGroups: groups } });
    const join = (organizationUserGroupId: string, userIds: string[]) =>
      must(usergroupUsersAdd, { as, data: { organizationId, organizationUserGroupId, userIds } });
    await join("g", ["u0", "u1", "u2"]);
    await join("h", ["u1", "u2", "u3", "u4"]);
    return as;
  }

  it("list each current member once, page by page", async () => {
    const as = await withGroups();
    await must(usersDelete, { as, data: { organizationId, userIds: ["u2", "u4"] } });
    await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u4" }] } });
    for (const pageSize of [1, 2, 100]) {
      const found = await listed(as, { organizationUserGroupIds: ["g", "h", "g"], pageSize });
      expect(found.map(({ userId }) => userId)).toEqual(["u0", "u1", "u3"]);
    }
    const some = await listed(as, { organizationUserGroupIds: ["g"], userIds: ["u3", "u1", "u5"] });
    expect(some.map(({ userId }) => userId)).toEqual(["u1"]);
  });

  it("have no page after their last member, whatever follows in them and in the other groups", async () => {
    const as = await arrange(6);
    const groups = ["g", "h", "i"].map((organizationUserGroupId) => ({ organizationUserGroupId }));
    await must(usergroupsAdd, { as, data: { organizationId, organizationUserGroups: groups } });
    const organizationUserGroupIds = ["g", "h", "i"];
    const join = { organizationId, organizationUserGroupId: "g", userIds: ids(6) };
    await must(usergroupUsersAdd, { as, data: join });
    await must(usersDelete, { as, data: { organizationId, userIds: ["u0", "u3", "u4", "u5"] } });
    expect(await sizesOf(as, { organizationUserGroupIds, pageSize: 2 })).toEqual([2]);
    expect(await sizesOf(as, { organizationUserGroupIds: ["h", "g", "i"], pageSize: 1 })).toEqual([1, 1]);
    expect(await sizesOf(as, { organizationUserGroupIds: ["h", "i"], pageSize: 1 })).toEqual([0]);
  });

  it("list the users' properties", async () => {
    const as = await withGroups();
    await must(usersUpdate, { as, data: { organizationId, users: [{ userId: "u1", team: "blue" }] } });
    for (const more of [{}, { userIds: ["u1"] }]) {
      const users = await listed(as, { organizationUserGroupIds: ["g"], ...more });
      expect(users).toContainEqual(expect.objectContaining({ userId: "u1", properties: { team: "blue" } }));
    }
  });

  it("that are missing are NOT_FOUND", async () => {
    const data = { organizationId, organizationUserGroupIds: ["g", "no"] };
    const reply = await call(usersGet, { as: await withGroups(), data });
    expect(reply).toMatchObject({ status: 404, error: { message: "The organization user group does not exist." } });
  });
});

describe("INVALID_ARGUMENT", () => {
  const both = { documentId: "d", folderId: "f" };
  it.each([
    ["users/get with a document and a folder", usersGet, both, ["folderId"]],
    [
      "users/get with groups and a folder",
      usersGet,
      { folderId: "f", organizationUserGroupIds: ["g"] },
      ["organizationUserGroupIds"],
    ],
    ["users/get with 11 groups", usersGet, { organizationUserGroupIds: ids(11) }, ["organizationUserGroupIds"]],
    ["users/delete with a document and a folder", usersDelete, { ...both, userIds: ["u"] }, ["folderId"]],
  ] as const)("is returned for %s", async (_, endpoint, more, paths) => {
    const as = await f.newOrganization();
    expect(await f.issuesOf(endpoint, as, { organizationId, ...more })).toEqual(paths);
  });
});
