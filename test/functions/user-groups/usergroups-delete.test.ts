import { describe, expect, it, vi } from "vitest";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { handler, usergroupsDelete } from "../../../functions/user-groups/usergroups-delete.ts";
import { usergroupsGet } from "../../../functions/user-groups/usergroups-get.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { groupMemberEntity, userGroupEntity } from "../../../lib/store/access/user-group.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { runPurges } from "../../support/run-purges.ts";
import { itemsOf } from "../../support/scan.ts";
import { areMembers, groupRequest, lifeOf, newGroup } from "../../support/user-groups.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const dataOf = (...organizationUserGroupIds: string[]) => ({ organizationId, organizationUserGroupIds });
const remove = (as: Credentials, ...ids: string[]) => must(usergroupsDelete, { as, data: dataOf(...ids) });
const addGroups = (as: Credentials, ...ids: string[]) =>
  must(usergroupsAdd, {
    as,
    data: { organizationId, organizationUserGroups: ids.map((id) => ({ organizationUserGroupId: id })) },
  });
const join = (as: Credentials, ...ids: string[]) => must(usergroupUsersAdd, { as, data: groupRequest(ids) });
const groupIds = async (as: Credentials) =>
  (await must(usergroupsGet, { as, data: { organizationId } })).organizationUserGroups.map(
    (each: { organizationUserGroupId: string }) => each.organizationUserGroupId,
  );
const result = (id: string, message: string) => ({ success: true, id, message });
const deleted = (id: string) => result(id, "User group deleted.");
const absent = (id: string) => result(id, "The user group does not exist.");

fakeDates();

describe("OK", () => {
  it("deletes groups from every list immediately, and keeps the other groups and all users", async () => {
    const as = await newGroup("u");
    await addGroups(as, "h");
    await join(as, "u");
    expect(await remove(as, "g", "no", "g")).toEqual({ g: deleted("g"), no: absent("no") });
    expect(await groupIds(as)).toEqual(["h"]);
    const members = { organizationId, organizationUserGroupIds: ["g"] };
    expect((await call(usersGet, { as, data: members })).error?.status).toBe("NOT_FOUND");
    expect((await join(as, "u")).u).toMatchObject({ success: false, code: "not-found" });
    expect((await must(usersGet, { as, data: { organizationId } })).users).toMatchObject([{ userId: "u" }]);
    expect(await remove(as, "g")).toEqual({ g: absent("g") });
  });

  it("lets a group that is added again start empty, before and after the purge", async () => {
    const as = await newGroup("u", "v");
    await join(as, "u");
    const former = await lifeOf({ workspace: as.apiKey, organizationId, organizationUserGroupId: "g" });
    await remove(as, "g");
    await addGroups(as, "g");
    expect(await areMembers(as, ["u"])).toEqual([false]);
    await join(as, "v");
    await runPurges(as);
    expect(await areMembers(as, ["u", "v"])).toEqual([false, true]);
    const left = (await itemsOf(as.apiKey)).filter(({ pk }) => pk === groupMemberEntity.partition(former));
    expect(left).toEqual([]);
  });

  it("deletes no group of another workspace", async () => {
    const [alice, bob] = [await newGroup(), await f.newOrganization()];
    expect(await remove(bob, "g")).toEqual({ g: absent("g") });
    expect(await groupIds(alice)).toEqual(["g"]);
  });

  it("deletes 1,000 groups with any ids", async () => {
    const as = await f.newOrganization();
    const ids = [...f.oddIds, ...Array.from({ length: 1_000 - f.oddIds.length }, (_, index) => `g${index}`)];
    await addGroups(as, ...ids);
    const results = Object.entries(await remove(as, ...ids));
    expect(results.toSorted()).toEqual(ids.map((id) => [id, deleted(id)]).toSorted());
    expect(await groupIds(as)).toEqual([]);
  });

  it("deletes a group once when concurrent calls delete it", async () => {
    const as = await newGroup();
    for (let round = 0; round < 5; round++) {
      const results = await Promise.all([1, 2, 3, 4].map(() => remove(as, "g")));
      expect(results.filter(({ g }) => g.message === deleted("g").message)).toHaveLength(1);
      await addGroups(as, "g");
    }
  });
});

describe("a call that adds users meanwhile", () => {
  it("adds none to the next life of the group, and the purge removes what it wrote", async () => {
    const as = await newGroup("u");
    let isRaced = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (isRaced || !/TransactWrite|PutCommand/.test(name)) return;
      isRaced = true;
      await remove(as, "g");
      await addGroups(as, "g");
    });
    const caller = { workspace: as.apiKey };
    await usergroupUsersAdd.handle({ data: groupRequest(["u"]), caller } as never);
    vi.restoreAllMocks();
    expect(isRaced).toBe(true);
    expect(await areMembers(as, ["u"])).toEqual([false]);
    await runPurges(as);
    expect((await itemsOf(as.apiKey)).filter(({ entity }) => entity === groupMemberEntity.name)).toEqual([]);
  });

  it("is reported as successful or not found, over many rounds", async () => {
    const as = await newGroup("u", "v");
    for (let round = 0; round < 10; round++) {
      const [{ g }, { u }] = await Promise.all([remove(as, "g"), join(as, "u")]);
      expect(g).toEqual(deleted("g"));
      expect(u.success ? undefined : u.code).toBe(u.success ? undefined : "not-found");
      await addGroups(as, "g");
      expect(await areMembers(as, ["u"])).toEqual([false]);
    }
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a missing organization", async () => {
    const reply = await call(usergroupsDelete, { as: await newWorkspace(), data: dataOf("g") });
    expect(reply).toMatchObject({ status: 400, error: { status: "INVALID_ARGUMENT" } });
  });

  it.each([
    ["an empty list", dataOf(), ["organizationUserGroupIds"]],
    ["1,001 ids", dataOf(...Array(1_001).fill("g")), ["organizationUserGroupIds"]],
    ["an empty id", dataOf("g", ""), ["organizationUserGroupIds.1"]],
    ["a field that it does not know", { ...dataOf("g"), withMembers: true }, ["withMembers"]],
  ])("is returned for %s, and nothing is deleted", async (_what, data, paths) => {
    const as = await newGroup();
    expect(await f.issuesOf(usergroupsDelete, as, data)).toEqual(paths);
    expect(await groupIds(as)).toEqual(["g"]);
    expect(await jobsOf(as, "purge")).toEqual([]);
  });
});

describe("AWS calls", () => {
  it("reads the groups with the organization, writes one transaction with its job, and sends it", async () => {
    const group = { ...f.mockedOrganization, organizationUserGroupId: "g", groupUid: "x", createdAt: "" };
    const aws = mockAws([...f.mocked.rows, userGroupEntity.put(group, group).put]);
    expect(await f.callSource(handler, usergroupsDelete, dataOf("g", "no"))).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      "BatchGet W#w#O#o GROUP#g, W#w#O#o GROUP#no, W#w#O#o ORG",
      expect.stringMatching(
        /^TransactWrite Delete W#w#O#o GROUP#g if \{groupUid & no name & createdAt\}, Put JOB#\S+ JOB if absent$/,
      ),
      "SendMessageBatch",
    ]);
    aws.restore();
  });
});
