import { describe, expect, it } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { handler, usergroupsGet } from "../../../functions/user-groups/usergroups-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { userGroupEntity } from "../../../lib/store/access/user-group.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { groupRequest, newGroup } from "../../support/user-groups.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const get = (as: Credentials, more: object = {}) => must(usergroupsGet, { as, data: { organizationId, ...more } });
const add = (as: Credentials, ...organizationUserGroups: object[]) =>
  must(usergroupsAdd, { as, data: { organizationId, organizationUserGroups } });
const group = (organizationUserGroupId: string) => ({ organizationUserGroupId });
const members = { organizationUserGroupId: "g", withMembers: true };

/** The ids on every page from the first to the last. */
async function idsOf(as: Credentials, more: object, list: "organizationUserGroups" | "members"): Promise<string[]> {
  const ids: string[] = [];
  let pageToken: string | null = null;
  do {
    const page = await get(as, { ...more, pageToken });
    const items: { organizationUserGroupId?: string; userId?: string }[] = page[list];
    if ("pageSize" in more) expect(items.length).toBeLessThanOrEqual(more.pageSize as number);
    ids.push(...items.map((item) => item.userId ?? item.organizationUserGroupId ?? ""));
    pageToken = page.nextPageToken;
  } while (pageToken);
  return ids;
}

describe("OK", () => {
  it("lists the groups with their names", async () => {
    const as = await f.newOrganization();
    await add(as, { ...group("a"), organizationUserGroupName: "Reviewers" }, group("b"));
    expect(await get(as)).toEqual({
      organizationUserGroups: [{ ...group("a"), organizationUserGroupName: "Reviewers" }, group("b")],
      nextPageToken: null,
    });
  });

  it.each([1, 2, 100])("lists each group once, %i a page, with any id", async (pageSize) => {
    const as = await f.newOrganization();
    await add(as, ...f.oddIds.map(group));
    const ids = await idsOf(as, { pageSize }, "organizationUserGroups");
    expect(ids.toSorted()).toEqual(f.oddIds.toSorted());
  });

  it("returns requested groups in the requested order, and omits unknown ones", async () => {
    const as = await f.newOrganization();
    await add(as, ...["a", "b", "c"].map(group));
    const data = { organizationUserGroupIds: ["c", "no", "a", "c"] };
    expect((await get(as, data)).organizationUserGroups).toEqual([group("c"), group("a")]);
    expect(await idsOf(as, { ...data, pageSize: 1 }, "organizationUserGroups")).toEqual(["c", "a"]);
  });

  it("returns one group, without its members unless they are asked for", async () => {
    const as = await newGroup("u");
    expect(await get(as, { organizationUserGroupId: "g" })).toEqual({
      organizationUserGroups: [group("g")],
      nextPageToken: null,
    });
  });

  it("lists each member of a group once, page by page, with the user's name", async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `u${index}`);
    const as = await newGroup(...ids);
    await must(usersAdd, { as, data: { organizationId, users: [{ userId: "ann", name: "Ann" }, { userId: "no" }] } });
    await must(usergroupUsersAdd, { as, data: groupRequest([...ids, "ann"]) });
    const all = await idsOf(as, { ...members, pageSize: 10 }, "members");
    expect(all.toSorted()).toEqual([...ids, "ann"].toSorted());
    const { organizationUserGroups, members: first } = await get(as, { ...members, pageSize: 1 });
    expect([organizationUserGroups, first[0]]).toMatchObject([[group("g")], { userId: "ann", name: "Ann" }]);
  });

  it("omits users who were deleted, also when they are added again", async () => {
    const as = await newGroup("u", "v");
    await must(usergroupUsersAdd, { as, data: groupRequest(["u", "v"]) });
    await must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
    expect(await idsOf(as, members, "members")).toEqual(["v"]);
    await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u" }] } });
    expect(await idsOf(as, members, "members")).toEqual(["v"]);
  });

  it("never returns groups of another organization or workspace", async () => {
    const [alice, bob] = [await newGroup("u"), await f.newOrganization()];
    await must(organizationsAdd, { as: alice, data: { organizations: [{ organizationId: "o2" }] } });
    for (const more of [{}, { organizationUserGroupIds: ["g"] }]) {
      expect((await get(bob, more)).organizationUserGroups).toEqual([]);
      expect((await get(alice, { ...more, organizationId: "o2" })).organizationUserGroups).toEqual([]);
    }
  });
});

describe("NOT_FOUND", () => {
  it.each([
    ["a missing group", { organizationUserGroupId: "no" }],
    ["a missing group whose members are asked for", { ...members, organizationUserGroupId: "no" }],
  ])("is returned for %s", async (_what, data) => {
    const reply = await call(usergroupsGet, { as: await newGroup(), data: { organizationId, ...data } });
    expect(reply).toMatchObject({ status: 404, error: { status: "NOT_FOUND" } });
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["one group and several", { organizationUserGroupId: "g", organizationUserGroupIds: ["g"] }, "Ids"],
    ["members of no group", { withMembers: true }, "Id"],
    ["members of several groups", { withMembers: true, organizationUserGroupIds: ["g"] }, "Id"],
    ["an empty list", { organizationUserGroupIds: [] }, "Ids"],
    ["101 ids", { organizationUserGroupIds: Array(101).fill("g") }, "Ids"],
  ])("is returned for %s", async (_what, data, field) => {
    const paths = await f.issuesOf(usergroupsGet, await newWorkspace(), { organizationId, ...data });
    expect(paths).toEqual([`organizationUserGroup${field}`]);
  });

  it("is returned for a page token of another list", async () => {
    const as = await newGroup("u", "v");
    await add(as, group("h"));
    await must(usergroupUsersAdd, { as, data: groupRequest(["u", "v"]) });
    const [groups, one] = [await get(as, { pageSize: 1 }), await get(as, { ...members, pageSize: 1 })];
    const wrong = [
      { ...members, pageToken: groups.nextPageToken },
      { ...members, organizationUserGroupId: "h", pageToken: one.nextPageToken },
      { pageToken: one.nextPageToken },
    ];
    for (const data of wrong) {
      expect(await f.issuesOf(usergroupsGet, as, { organizationId, ...data })).toEqual(["pageToken"]);
    }
  });
});

describe("AWS calls", () => {
  const authenticate = `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}`;
  const life = { ...f.mockedOrganization, organizationUserGroupId: "g", groupUid: "x" };

  it("reads the organization beside one query of the groups", async () => {
    const aws = mockAws(f.mocked.rows);
    expect(await f.callSource(handler, usergroupsGet, { organizationId })).toBe(200);
    expect(aws.calls().toSorted()).toEqual([authenticate, "Get W#w#O#o ORG", "Query W#w#O#o"]);
    aws.restore();
  });

  it("reads a group with the organization, then one query of its members", async () => {
    const aws = mockAws([...f.mocked.rows, userGroupEntity.put(life, { ...life, createdAt: "" }).put]);
    expect(await f.callSource(handler, usergroupsGet, { organizationId, ...members })).toBe(200);
    expect(aws.calls()).toEqual(["BatchGet W#w#O#o GROUP#g, W#w#O#o ORG", "Query W#w#O#o#G#g#x"]);
    aws.restore();
  });
});
