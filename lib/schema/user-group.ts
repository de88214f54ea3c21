// Wire shapes of user groups.
import * as z from "zod/mini";
import { mustBeObject } from "./messages.ts";
import { Id, listOf, optional, Text } from "./primitives.ts";

/** The user groups of usergroups/add and usergroups/update. */
export const UserGroupList = listOf(
  z.object({ organizationUserGroupId: Id, organizationUserGroupName: optional(Text) }, mustBeObject),
);

export const ShownUserGroup = z.object({
  organizationUserGroupId: z.string(),
  organizationUserGroupName: z.optional(z.string()),
});
