// Wire shapes of user groups.
import * as z from "zod/mini";
import { OrganizationId, UserGroupId } from "./fields.ts";
import { resultWith } from "./item-result.ts";
import { mustBeObject } from "./messages.ts";
import { ids, listOf, optional, Text } from "./primitives.ts";

export const NewUserGroup = z.object(
  {
    organizationUserGroupId: UserGroupId,
    organizationUserGroupName: optional(Text).check(z.describe("The name to show for the group.")),
  },
  mustBeObject,
);

/** The user groups of usergroups/add and usergroups/update. */
export const UserGroupList = listOf(NewUserGroup);

export const ShownUserGroup = z.object({
  organizationUserGroupId: UserGroupId,
  organizationUserGroupName: z.optional(z.string()).check(z.describe("The name to show for the group.")),
});

/** The request of the two endpoints that add users to a group or remove them. */
export const GroupMembers = z.object({
  organizationId: OrganizationId,
  organizationUserGroupId: UserGroupId,
  userIds: ids().check(z.describe("The users to add to the group, or to remove from it.")),
});

export const GroupMemberResult = resultWith({ organizationUserGroupId: UserGroupId }, {});

/** Keyed by userId. */
export const GroupMemberResults = z
  .record(z.string(), GroupMemberResult)
  .check(z.describe("A result for each user of the request, by the user's id."));
