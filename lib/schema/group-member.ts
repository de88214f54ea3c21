// Wire shapes of the two endpoints that add users to a group or remove them.
import * as z from "zod/mini";
import { resultWith } from "./item-result.ts";
import { Id, ids } from "./primitives.ts";

export const GroupMembers = z.object({ organizationId: Id, organizationUserGroupId: Id, userIds: ids() });

export const GroupMemberResult = resultWith({ organizationUserGroupId: z.string() }, {});

/** Keyed by userId. */
export const GroupMemberResults = z.record(z.string(), GroupMemberResult);
