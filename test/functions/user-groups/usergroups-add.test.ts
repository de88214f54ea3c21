import { describe, expect, it } from "vitest";
import { handler, usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const dataOf = (...ids: string[]) => ({
  organizationId: "o",
  organizationUserGroups: ids.map((organizationUserGroupId) => ({ organizationUserGroupId })),
});
const add = (as: Credentials, ...ids: string[]) => must(usergroupsAdd, { as, data: dataOf(...ids) });
const added = (id: string) => ({ success: true, id, message: "User group added." });

describe("OK", () => {
  it("adds each group once, and reports an existing group per item with a code", async () => {
    const as = await f.newOrganization();
    expect(await add(as, "g", "g")).toEqual({ g: added("g") });
    const exists = { success: false, id: "g", message: "The user group already exists.", code: "already-exists" };
    expect(await add(as, "g", "h")).toEqual({ g: exists, h: added("h") });
  });

  it("separates groups with the same id in two workspaces", async () => {
    for (const as of [await f.newOrganization(), await f.newOrganization()]) {
      expect(await add(as, "g")).toEqual({ g: added("g") });
    }
  });

  it("accepts any id", async () => {
    const results = Object.entries(await add(await f.newOrganization(), ...f.oddIds));
    expect(results.toSorted()).toEqual(f.oddIds.map((id) => [id, added(id)]).toSorted());
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a missing organization", async () => {
    const reply = await call(usergroupsAdd, { as: await newWorkspace(), data: dataOf("g") });
    expect(reply).toMatchObject({ status: 400, error: { status: "INVALID_ARGUMENT" } });
  });

  it.each([
    ["an empty list of groups", dataOf(), ["organizationUserGroups"]],
    ["1,001 groups", dataOf(...Array(1_001).fill("g")), ["organizationUserGroups"]],
    ["an empty id", dataOf(""), ["organizationUserGroups.0.organizationUserGroupId"]],
    ["an empty request", {}, ["organizationId", "organizationUserGroups"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(usergroupsAdd, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("reads the organization, and writes all groups in one transaction", async () => {
    const aws = mockAws(f.mocked.rows);
    expect(await f.callSource(handler, usergroupsAdd, dataOf("g", "h"))).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      "Get W#w#O#o ORG",
      "TransactWrite Put W#w#O#o GROUP#g if absent, Put W#w#O#o GROUP#h if absent",
    ]);
    aws.restore();
  });
});
