// A user group is deleted, and the purge of its members meets a fault at each of its calls. Just before, a member is
// deleted, and the group is added again with a member of its own.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as usergroupUsersAdd from "../../functions/user-groups/usergroup-users-add.ts";
import * as usergroupsAdd from "../../functions/user-groups/usergroups-add.ts";
import * as usergroupsDelete from "../../functions/user-groups/usergroups-delete.ts";
import * as usergroupsGet from "../../functions/user-groups/usergroups-get.ts";
import * as usersDelete from "../../functions/users/users-delete.ts";
import { createMissing } from "../../lib/content/existing.ts";
import { putAll } from "../../lib/dynamodb/batch-write.ts";
import { commit } from "../../lib/jobs/commit.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import { userEntity } from "../../lib/store/access/user.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { atEveryCall, faults, type Scene } from "../support/aws/faults.ts";
import type { Credentials } from "../support/call.ts";
import { at } from "../support/furnished-table.ts";
import { numbered } from "../support/notifications.ts";
import { itemsOf } from "../support/scan.ts";
import { callSource } from "../support/source-call.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const organizationId = "o";
const group = { organizationId, organizationUserGroupId: "g" };
/** A little more than two pages and a batch. */
const members = numbered(30, "m");
let as: Credentials;

const scene: Scene = {
  async arrange() {
    const { apiKey: workspace } = await Workspace.create({ name: "faults" });
    as = { apiKey: workspace, ...(await AuthToken.create({ workspace })) };
    const ref = { workspace, organizationId };
    const profile = { organizationId, createdAt: at, updatedAt: at };
    await createMissing({ workspace }, [{ organizationId }]);
    await commit([UserGroup.creation({ ...ref, ...group }, undefined)]);
    const [life] = await UserGroup.refsOf(ref, ["g"]);
    await putAll([
      ...[...members, "next"].map((userId) => userEntity.put({ ...ref, userId }, { ...profile, userId })),
      ...members.map((userId) =>
        UserGroup.groupMemberEntity.put({ ...(life as UserGroup.GroupLifeRef), userId }, { userId }),
      ),
    ]);
    await callSource(usergroupsDelete, as, { organizationId, organizationUserGroupIds: ["g"] });
    return workspace;
  },
  before({ constructor: { name }, input }) {
    if (name === "QueryCommand" && !input.IndexName) input.Limit = 14;
  },
  async beside() {
    const { data } = await callSource(usergroupUsersAdd, as, { ...group, userIds: ["m0"] });
    expect(data.m0).toMatchObject({ success: false });
    await callSource(usersDelete, as, { organizationId, userIds: ["m1"] });
    await callSource(usergroupsAdd, as, { organizationId, organizationUserGroups: [group] });
    const before = await callSource(usergroupsGet, as, { ...group, withMembers: true });
    expect(before.data.members).toEqual([]);
    await callSource(usergroupUsersAdd, as, { ...group, userIds: ["next"] });
  },
};

it.each(faults)("leaves the members of the next life and no others: %s", async (fault) => {
  const calls = await atEveryCall(scene, fault, async (workspace, what) => {
    const items = await itemsOf(workspace);
    const isAddedAgain = items.some(({ entity }) => entity === "user-group");
    const left = items.filter(({ entity }) => entity === "user-group-member").map(({ userId }) => userId);
    expect(left, what).toEqual(isAddedAgain ? ["next"] : []);
    const users = items.filter(({ entity, createdAt }) => entity === "user" && createdAt !== undefined);
    expect(users, what).toHaveLength(members.length + (isAddedAgain ? 0 : 1));
  });
  expect(calls).toBeGreaterThan(10);
});
