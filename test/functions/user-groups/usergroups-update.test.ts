import { describe, expect, it, vi } from "vitest";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { usergroupsDelete } from "../../../functions/user-groups/usergroups-delete.ts";
import { usergroupsGet } from "../../../functions/user-groups/usergroups-get.ts";
import { handler, usergroupsUpdate } from "../../../functions/user-groups/usergroups-update.ts";
import { userGroupEntity } from "../../../lib/store/access/user-group.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { areMembers, groupRequest, newGroup } from "../../support/user-groups.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const named = (organizationUserGroupId: string, organizationUserGroupName?: string) => ({
  organizationUserGroupId,
  organizationUserGroupName,
});
const dataOf = (...organizationUserGroups: object[]) => ({ organizationId, organizationUserGroups });
const update = (as: Credentials, ...groups: object[]) => must(usergroupsUpdate, { as, data: dataOf(...groups) });
const groupsOf = async (as: Credentials) =>
  (await must(usergroupsGet, { as, data: { organizationId } })).organizationUserGroups;
const updated = (id: string) => ({ success: true, id, message: "User group updated." });

describe("OK", () => {
  it("sets the names of groups, and keeps their members", async () => {
    const as = await newGroup("u");
    await must(usergroupsAdd, { as, data: dataOf(named("h", "Old")) });
    await must(usergroupUsersAdd, { as, data: groupRequest(["u"]) });
    expect(await update(as, named("g", "New"), named("h", "Other"), named("g", "Ignored"))).toEqual({
      g: updated("g"),
      h: updated("h"),
    });
    expect(await groupsOf(as)).toEqual([named("g", "New"), named("h", "Other")]);
    expect(await areMembers(as, ["u"])).toEqual([true]);
  });

  it("reports a missing group and an update without a name per item, and updates the others", async () => {
    const as = await newGroup();
    const results = await update(as, named("no", "N"), named("g", "New"), named("h"));
    expect(results).toEqual({
      no: { success: false, id: "no", code: "not-found", message: "The user group does not exist." },
      g: updated("g"),
      h: { success: false, id: "h", code: "not-found", message: "The user group does not exist." },
    });
    expect(await update(as, { organizationUserGroupId: "g", organizationUserGroupName: null })).toEqual({
      g: { success: false, id: "g", code: "nothing-to-update", message: "The update has no name." },
    });
    expect(await groupsOf(as)).toEqual([named("g", "New")]);
  });

  it("changes no other workspace's group", async () => {
    const [alice, bob] = [await newGroup(), await f.newOrganization()];
    expect((await update(bob, named("g", "Bob's"))).g).toMatchObject({ code: "not-found" });
    expect(await groupsOf(alice)).toEqual([{ organizationUserGroupId: "g" }]);
  });

  it("accepts any id, and 1,000 groups", async () => {
    const as = await f.newOrganization();
    const ids = [...f.oddIds, ...Array.from({ length: 1_000 - f.oddIds.length }, (_, index) => `g${index}`)];
    await must(usergroupsAdd, { as, data: dataOf(...ids.map((id) => named(id))) });
    const results = Object.entries(await update(as, ...ids.map((id) => named(id, "n"))));
    expect(results.toSorted()).toEqual(ids.map((id) => [id, updated(id)]).toSorted());
  });

  it("updates no group that was deleted and added again since it was read, with the name of before", async () => {
    const as = await newGroup();
    let isRaced = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (isRaced || !/TransactWrite|UpdateCommand/.test(name)) return;
      isRaced = true;
      await must(usergroupsDelete, { as, data: { organizationId, organizationUserGroupIds: ["g"] } });
    });
    const caller = { workspace: as.apiKey };
    const results = await usergroupsUpdate.handle({ data: dataOf(named("g", "New")), caller } as never);
    vi.restoreAllMocks();
    expect([isRaced, results]).toMatchObject([true, { g: { code: "not-found" } }]);
    expect(await groupsOf(as)).toEqual([]);
  });

  it("applies concurrent updates one after the other", async () => {
    const as = await newGroup();
    const names = ["a", "b", "c", "d"];
    for (let round = 0; round < 5; round++) {
      const results = await Promise.all(names.map((name) => update(as, named("g", name))));
      expect(results).toEqual(names.map(() => ({ g: updated("g") })));
      expect(names).toContain((await groupsOf(as))[0].organizationUserGroupName);
    }
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a missing organization", async () => {
    const reply = await call(usergroupsUpdate, { as: await newWorkspace(), data: dataOf(named("g", "n")) });
    expect(reply).toMatchObject({ status: 400, error: { status: "INVALID_ARGUMENT" } });
  });

  it.each([
    ["an empty list of groups", dataOf(), ["organizationUserGroups"]],
    ["1,001 groups", dataOf(...Array(1_001).fill(named("g", "n"))), ["organizationUserGroups"]],
    ["an empty id", dataOf(named("", "n")), ["organizationUserGroups.0.organizationUserGroupId"]],
    [
      "a name that is no string",
      dataOf({ ...named("g"), organizationUserGroupName: 7 }),
      ["organizationUserGroups.0.organizationUserGroupName"],
    ],
    ["an empty request", {}, ["organizationId", "organizationUserGroups"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(usergroupsUpdate, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  const rowOf = (organizationUserGroupId: string, name: string) => {
    const group = { ...f.mockedOrganization, organizationUserGroupId, groupUid: "x", name, createdAt: "" };
    return userGroupEntity.put(group, group).put;
  };

  it("reads the groups with the organization, and writes only what changes, in one transaction", async () => {
    const aws = mockAws([...f.mocked.rows, rowOf("g", "old"), rowOf("h", "same")]);
    const data = dataOf(named("g", "new"), named("h", "same"));
    expect(await f.callSource(handler, usergroupsUpdate, data)).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      "BatchGet W#w#O#o GROUP#g, W#w#O#o GROUP#h, W#w#O#o ORG",
      "TransactWrite Update W#w#O#o GROUP#g if {groupUid & name & createdAt}",
    ]);
    aws.restore();
  });
});
