// Wire shapes of the two endpoints that add users to a group or remove them.
import * as z from "zod/mini";
import { Id, ids } from "./primitives.ts";

export const GroupMembers = z.object({ organizationId: Id, organizationUserGroupId: Id, userIds: ids() });

const GroupMemberResult = z.object({
  success: z.boolean(),
  organizationUserGroupId: z.string(),
  message: z.string(),
  code: z.optional(z.string()),
});

/** Keyed by userId. */
export const GroupMemberResults = z.record(z.string(), GroupMemberResult);
