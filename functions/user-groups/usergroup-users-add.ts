import { refuseBeingErased } from "../../lib/deletion/being-deleted.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { byId } from "../../lib/schema/item-result.ts";
import { distinct } from "../../lib/schema/primitives.ts";
import { GroupMemberResults, GroupMembers } from "../../lib/schema/user-group.ts";
import * as User from "../../lib/store/access/user.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";

export const usergroupUsersAdd = endpoint({
  name: "usergroup-users-add",
  path: "/v1/organizations/usergroups/users/add",
  contract: 11,
  summary: "Add users to a group",
  description: "Add users to an organization user group.",
  grants: ["table:read", "table:write"],
  events: ["usergroup.user_add"],
  data: GroupMembers,
  example: { organizationId: "acme", organizationUserGroupId: "reviewers", userIds: ["alice", "bob"] },
  reply: GroupMemberResults,
  timeoutSeconds: 25,
  message: "Users added to the user group.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, organizationUserGroupId } = data;
    const userIds = distinct(data.userIds);
    const organization = { workspace, organizationId };
    const added = new Set<string>();
    let rest: readonly string[] = userIds;
    const hasGroup = await retryOnConflict("users", async () => {
      const [[group], users] = await Promise.all([
        UserGroup.refsOf(organization, [organizationUserGroupId]),
        User.getMany(organization, rest),
        refuseBeingErased(organization, rest),
      ]);
      if (!group) return false;
      const known = users.filter(User.isKnown);
      const units = known.map((user) => ({ userId: user.userId, writes: [UserGroup.joining(group, user)] }));
      const joined = await commitEach(units, (done) => ({
        events: done.map(({ userId }) => ({
          type: "usergroup.user_add",
          workspace,
          organizationId,
          data: { organizationUserGroupId, userId },
        })),
      }));
      for (const [index, { userId }] of units.entries()) if (joined[index]) added.add(userId);
      // The others were deleted and added again since they were read.
      rest = known.flatMap(({ userId }) => (added.has(userId) ? [] : [userId]));
      return rest.length === 0 ? true : conflict;
    });
    const reason = hasGroup
      ? "The user does not exist: add it with users/add."
      : "The organization user group does not exist.";
    return byId(
      userIds.map((id) => [
        id,
        added.has(id)
          ? { success: true, organizationUserGroupId, message: "User added to the user group." }
          : { success: false, organizationUserGroupId, message: reason, code: "not-found" },
      ]),
    );
  },
});
export const handler = lambda(usergroupUsersAdd);
