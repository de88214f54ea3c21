// Fixtures of the tests of user groups. All have the group `g` of the organization `o`.
import { usergroupsAdd } from "../../functions/user-groups/usergroups-add.ts";
import { usersAdd } from "../../functions/users/users-add.ts";
import type { Key } from "../../lib/dynamodb/key.ts";
import {
  type GroupLifeRef,
  groupMemberEntity,
  membersAmong,
  refsOf,
  type UserGroupRef,
} from "../../lib/store/access/user-group.ts";
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
  const users = userIds.map((userId) => ({ userId }));
  if (users.length > 0) await must(usersAdd, { as, data: { organizationId, users } });
  return as;
}

/** Returns for each user whether the user is in the group. */
export async function areMembers({ apiKey }: Credentials, userIds: readonly string[]): Promise<boolean[]> {
  const group = await lifeOf({ workspace: apiKey, organizationId, organizationUserGroupId });
  const found = await membersAmong(group, userIds);
  return found.map((item) => item !== undefined);
}

/** The present life of a group. */
export async function lifeOf(ref: UserGroupRef): Promise<GroupLifeRef> {
  const [life] = await refsOf(ref, [ref.organizationUserGroupId]);
  if (!life) throw new Error("The group does not exist.");
  return life;
}

/** The key of a user's membership of the group. */
export async function membershipKey({ apiKey }: Credentials, userId: string): Promise<Key> {
  const group = await lifeOf({ workspace: apiKey, organizationId, organizationUserGroupId });
  return groupMemberEntity.key({ ...group, userId });
}
