// Wire shapes of the two endpoints that add users to a group or remove them.
import * as z from "zod/mini";
import { OrganizationId, UserGroupId } from "./fields.ts";
import { resultWith } from "./item-result.ts";
import { ids } from "./primitives.ts";

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
