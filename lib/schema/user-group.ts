// Wire shapes of user groups.
import * as z from "zod/mini";
import { UserGroupId } from "./fields.ts";
import { mustBeObject } from "./messages.ts";
import { listOf, optional, Text } from "./primitives.ts";

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
