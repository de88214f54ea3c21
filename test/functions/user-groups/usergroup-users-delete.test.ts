import { describe, expect, it } from "vitest";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { handler, usergroupUsersDelete } from "../../../functions/user-groups/usergroup-users-delete.ts";
import { userGroupEntity } from "../../../lib/store/access/user-group.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { areMembers, groupRequest, invalidGroupRequests, newGroup } from "../../support/user-groups.ts";
import * as f from "../../support/workspace.ts";

const remove = (as: Credentials, ...ids: string[]) => must(usergroupUsersDelete, { as, data: groupRequest(ids) });
const result = (message: string) => ({ success: true, organizationUserGroupId: "g", message });
const removed = result("User removed from the user group.");
const absent = result("The user is not in the user group.");

async function withMembers(...ids: string[]): Promise<Credentials> {
  const as = await newGroup(...ids);
  await must(usergroupUsersAdd, { as, data: groupRequest(ids) });
  return as;
}

describe("OK", () => {
  it("removes the given users from the group, and keeps the others", async () => {
    const as = await withMembers("u", "v");
    expect(await remove(as, "u", "u")).toEqual({ u: removed });
    expect(await areMembers(as, ["u", "v"])).toEqual([false, true]);
  });

  it("succeeds for users who are not in the group, and changes no other workspace's group", async () => {
    const [alice, bob] = [await withMembers("u"), await newWorkspace()];
    expect(await remove(bob, "u")).toEqual({ u: absent });
    expect(await remove(alice, "x", "u")).toEqual({ x: absent, u: removed });
    expect(await remove(alice, "u")).toEqual({ u: absent });
  });

  it("accepts any id", async () => {
    const results = Object.entries(await remove(await withMembers(...f.oddIds), ...f.oddIds));
    expect(results.toSorted()).toEqual(f.oddIds.map((id) => [id, removed]).toSorted());
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each(invalidGroupRequests)("is returned for %s", async (_name, data, paths) => {
    expect(await f.issuesOf(usergroupUsersDelete, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("removes all members in one transaction", async () => {
    const group = { ...f.mockedOrganization, organizationUserGroupId: "g", groupUid: "x" };
    const aws = mockAws([...f.mocked.rows, userGroupEntity.put(group, { ...group, createdAt: "" }).put]);
    expect(await f.callSource(handler, usergroupUsersDelete, groupRequest(["u", "v"]))).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      "BatchGet W#w#O#o GROUP#g, W#w#O#o ORG, W#w#O#o#U#12 u, W#w#O#o#U#5 v",
      "TransactWrite Delete W#w#O#o#G#g#x u if {userId & no generation}, Delete W#w#O#o#G#g#x v if {userId & no generation}",
    ]);
    aws.restore();
  });
});
