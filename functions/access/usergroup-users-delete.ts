import { endpoint } from "../../lib/http/endpoint.ts";
import { byId } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { GroupMemberResults, GroupMembers } from "../../lib/schema/group-member.ts";
import { distinct } from "../../lib/schema/primitives.ts";
import * as User from "../../lib/store/user.ts";
import * as UserGroup from "../../lib/store/user-group.ts";

export const usergroupUsersDelete = endpoint({
  name: "usergroup-users-delete",
  path: "/v1/organizations/usergroups/users/delete",
  group: "access",
  summary: "Remove users from an organization user group.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["usergroup.user_delete"],
  data: GroupMembers,
  reply: GroupMemberResults,
  timeoutSeconds: 25,
  message: "Users removed from the user group.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, organizationUserGroupId } = data;
    const group = { workspace, organizationId, organizationUserGroupId };
    const userIds = distinct(data.userIds);
    const users = await User.getMany(group, userIds);
    const units = userIds.map((userId, index) => ({
      userId,
      writes: [UserGroup.leaving(group, userId, users[index]?.generation)],
    }));
    const outcome = await commitEach(units, (removed) => ({
      events: removed.map(({ userId }) => ({
        type: "usergroup.user_delete",
        workspace,
        organizationId,
        data: { organizationUserGroupId, userId },
      })),
    }));
    return byId(
      units.map(({ userId }, index) => {
        const message = outcome[index] ? "User removed from the user group." : "The user is not in the user group.";
        return [userId, { success: true, organizationUserGroupId, message }];
      }),
    );
  },
});
export const handler = lambda(usergroupUsersDelete);
