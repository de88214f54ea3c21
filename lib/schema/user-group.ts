// Wire shapes of user groups.
import * as z from "zod/mini";
import { mustBeObject } from "./messages.ts";
import { Id, listOf, optional, Text } from "./primitives.ts";

export const NewUserGroup = z.object(
  { organizationUserGroupId: Id, organizationUserGroupName: optional(Text) },
  mustBeObject,
);

/** The user groups of usergroups/add and usergroups/update. */
export const UserGroupList = listOf(NewUserGroup);

export const ShownUserGroup = z.object({
  organizationUserGroupId: z.string(),
  organizationUserGroupName: z.optional(z.string()),
});
