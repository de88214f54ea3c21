// Fixtures of the tests of user groups. All have the group `g` of the organization `o`.
import { usergroupsAdd } from "../../functions/access/usergroups-add.ts";
import { usersAdd } from "../../functions/access/users-add.ts";
import * as Table from "../../lib/dynamodb/table.ts";
import { groupMemberEntity } from "../../lib/store/user-group.ts";
import { type Credentials, must } from "./call.ts";
import { newOrganization, organizationId } from "./workspace.ts";

const organizationUserGroupId = "g";

/** A request about these users and the group. */
export const groupRequest = (userIds: string[]) => ({ organizationId, organizationUserGroupId, userIds });

/** Invalid requests about users and a group, with the paths of their issues. */
export const invalidGroupRequests: [name: string, data: object, paths: string[]][] = [
  ["an empty list of ids", groupRequest([]), ["userIds"]],
  ["1,001 ids", groupRequest(Array(1_001).fill("u")), ["userIds"]],
  ["an empty request", {}, ["organizationId", "organizationUserGroupId", "userIds"]],
];

/** A workspace whose organization has these users and the group without members. */
export async function newGroup(...userIds: string[]): Promise<Credentials> {
  const as = await newOrganization();
  await must(usergroupsAdd, { as, data: { organizationId, organizationUserGroups: [{ organizationUserGroupId }] } });
  await must(usersAdd, { as, data: { organizationId, users: userIds.map((userId) => ({ userId })) } });
  return as;
}

/** Returns for each user whether the user is in the group. */
export async function areMembers({ apiKey }: Credentials, userIds: readonly string[]): Promise<boolean[]> {
  const group = { workspace: apiKey, organizationId, organizationUserGroupId };
  const found = await Table.getMany(userIds.map((userId) => groupMemberEntity.key({ ...group, userId })));
  return found.map((item) => item !== undefined);
}
