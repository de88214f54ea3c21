import * as Table from "../../lib/dynamodb/table.ts";
import { groupMemberEntity } from "../../lib/store/user-group.ts";
import type { Credentials } from "./call.ts";
import { organizationId } from "./workspace.ts";

/** Returns for each user whether the user is in the group `g` of the organization `o`. */
export async function areMembers({ apiKey }: Credentials, userIds: readonly string[]): Promise<boolean[]> {
  const group = { workspace: apiKey, organizationId, organizationUserGroupId: "g" };
  const found = await Table.getMany(userIds.map((userId) => groupMemberEntity.key({ ...group, userId })));
  return found.map((item) => item !== undefined);
}
