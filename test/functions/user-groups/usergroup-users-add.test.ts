import { describe, expect, it } from "vitest";
import { handler, usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsGet } from "../../../functions/user-groups/usergroups-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { userGroupEntity } from "../../../lib/store/access/user-group.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { areMembers, groupRequest, invalidGroupRequests, newGroup } from "../../support/user-groups.ts";
import * as f from "../../support/workspace.ts";

const add = (as: Credentials, userIds: string[], more?: object) =>
  must(usergroupUsersAdd, { as, data: { ...groupRequest(userIds), ...more } });
const added = { success: true, organizationUserGroupId: "g", message: "User added to the user group." };
const missing = (message: string) => ({ success: false, organizationUserGroupId: "g", message, code: "not-found" });
const missingUser = missing("The user does not exist: add it with users/add.");

describe("OK", () => {
  it("adds users to the group, and succeeds for users who are in it", async () => {
    const as = await newGroup("u", "v");
    expect(await add(as, ["u", "u"])).toEqual({ u: added });
    expect(await add(as, ["u"])).toEqual({ u: added });
    expect(await areMembers(as, ["u", "v"])).toEqual([true, false]);
  });

  it("reports a user that does not exist per item, and adds the others, also with only a grant", async () => {
    const as = await newGroup("u");
    await f.give(as, "granted", f.onDocument("d"));
    const results = await add(as, ["no", "u", "granted"]);
    expect(results).toEqual({ no: missingUser, u: added, granted: added });
    expect(await areMembers(as, ["no", "granted"])).toEqual([false, true]);
    const asked = { organizationId: "o", organizationUserGroupId: "g", withMembers: true };
    const members = async () => (await must(usergroupsGet, { as, data: asked })).members;
    expect(await members()).toContainEqual({ userId: "granted", isAdmin: false });
    await must(usersDelete, { as, data: { organizationId: "o", userIds: ["granted"] } });
    await f.give(as, "granted", f.onDocument("d"));
    expect(await members()).toEqual([{ userId: "u", isAdmin: false, accessRole: "editor" }]);
  });

  it("reports a missing group or organization per item, and another workspace's group in the same way", async () => {
    const [as, bob] = [await newGroup("u"), await f.newOrganization()];
    await must(usersAdd, { as: bob, data: { organizationId: "o", users: [{ userId: "u" }] } });
    const nothing = { u: missing("The organization user group does not exist.") };
    expect(await add(bob, ["u"])).toEqual(nothing);
    expect(await add(as, ["u"], { organizationId: "no" })).toEqual(nothing);
    const other = await add(as, ["u"], { organizationUserGroupId: "no" });
    expect(other.u).toMatchObject({ success: false, organizationUserGroupId: "no" });
  });

  it("accepts any id", async () => {
    const as = await newGroup(...f.oddIds);
    const results = Object.entries(await add(as, f.oddIds));
    expect(results.toSorted()).toEqual(f.oddIds.map((id) => [id, added]).toSorted());
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each(invalidGroupRequests)("is returned for %s", async (_name, data, paths) => {
    expect(await f.issuesOf(usergroupUsersAdd, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("reads the group and the users, and writes all members in one transaction", async () => {
    const group = { ...f.mockedOrganization, organizationUserGroupId: "g", groupUid: "x" };
    const stored = userGroupEntity.put(group, { ...group, createdAt: "" }).put;
    const aws = mockAws([...f.mocked.rows, stored, f.mockedUser("u"), f.mockedUser("v")]);
    expect(await f.callSource(handler, usergroupUsersAdd, groupRequest(["u", "v"]))).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      `BatchGet W#w#O#o GROUP#g, W#w#O#o ORG, ${f.keyText.user("u")}, ${f.keyText.user("v")}, ${f.keyText.beingErased("u")}, ${f.keyText.beingErased("v")}`,
      "TransactWrite Put W#w#O#o#G#g#x u if {generation at most}, Put W#w#O#o#G#g#x v if {generation at most}",
    ]);
    aws.restore();
  });
});
