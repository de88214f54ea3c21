import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { keys } from "./keys.ts";

export async function exists(workspace: string, organizationId: string, groupId: string): Promise<boolean> {
  return (await Table.get(keys.userGroup(workspace, organizationId, groupId))) !== undefined;
}

/** Its condition is lost where the id is taken. */
export function creation(workspace: string, organizationId: string, groupId: string, name?: string): Write {
  const record = { organizationUserGroupId: groupId, name, createdAt: new Date().toISOString() };
  return { put: { ...keys.userGroup(workspace, organizationId, groupId), ...record }, if: "absent" };
}

/** Which of the users are in the group, in the order of `userIds`. */
export async function areMembers(
  workspace: string,
  organizationId: string,
  groupId: string,
  userIds: readonly string[],
) {
  const wanted = userIds.map((id) => keys.userGroupMember(workspace, organizationId, groupId, id));
  return (await Table.getMany(wanted)).map((item) => item !== undefined);
}

export function joining(workspace: string, organizationId: string, groupId: string, userId: string): Write {
  return { put: { ...keys.userGroupMember(workspace, organizationId, groupId, userId), userId } };
}

/** Its condition is lost where the user is not in the group. */
export function leaving(workspace: string, organizationId: string, groupId: string, userId: string): Write {
  return { delete: keys.userGroupMember(workspace, organizationId, groupId, userId), if: "present" };
}
