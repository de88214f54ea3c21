import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { byId } from "../../lib/schema/item-result.ts";
import { distinct } from "../../lib/schema/primitives.ts";
import { GroupMemberResults, GroupMembers } from "../../lib/schema/user-group.ts";
import * as User from "../../lib/store/access/user.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";

export const usergroupUsersDelete = endpoint({
  name: "usergroup-users-delete",
  path: "/v1/organizations/usergroups/users/delete",
  summary: "Remove users from a group",
  description: "Remove users from an organization user group. A user who is not in the group is no error.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["usergroup.user_delete"],
  data: GroupMembers,
  reply: GroupMemberResults,
  timeoutSeconds: 25,
  message: "Users removed from the user group.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, organizationUserGroupId } = data;
    const organization = { workspace, organizationId };
    const userIds = distinct(data.userIds);
    const [[group], users] = await Promise.all([
      UserGroup.refsOf(organization, [organizationUserGroupId]),
      User.getMany(organization, userIds),
    ]);
    const units = userIds.flatMap((userId, index) =>
      group ? [{ userId, writes: [UserGroup.leaving(group, userId, users[index]?.generation)] }] : [],
    );
    const outcome = await commitEach(units, (written) => ({
      events: written.map(({ userId }) => ({
        type: "usergroup.user_delete",
        workspace,
        organizationId,
        data: { organizationUserGroupId, userId },
      })),
    }));
    const removed = new Set(units.flatMap(({ userId }, index) => (outcome[index] ? [userId] : [])));
    return byId(
      userIds.map((id) => {
        const message = removed.has(id) ? "User removed from the user group." : "The user is not in the user group.";
        return [id, { success: true, organizationUserGroupId, message }];
      }),
    );
  },
});
export const handler = lambda(usergroupUsersDelete);
