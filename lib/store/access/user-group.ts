// User groups of an organization, and their members. A group's id is only a name: its members are under the group's
// internal id. A group that is added again gets a new internal id, so it starts empty (DECISIONS.md#internal-ids).
import { randomUUID } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import type { Page } from "../../dynamodb/page.ts";
import { pageOfIds, pageOfItems } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import { atMost, type Write } from "../../dynamodb/write.ts";
import { getManyOf } from "../content/organization-life.ts";
import { type Descendants, type OrganizationRef, organizationPartition } from "../refs.ts";
import type { User } from "./user.ts";

export interface UserGroup {
  organizationId: string;
  organizationUserGroupId: string;
  groupUid: string;
  name?: string | undefined;
  createdAt: string;
}

export interface Member {
  userId: string;
  /** The user's generation when the user was added; absent: the first. */
  generation?: number;
}

export interface UserGroupRef extends OrganizationRef {
  organizationUserGroupId: string;
}

/** One life of a group. */
export interface GroupLifeRef extends UserGroupRef {
  groupUid: string;
}

export const userGroupEntity = entity<UserGroup>()({
  name: "user-group",
  attributes: ["organizationId", "organizationUserGroupId", "groupUid", "name", "createdAt"],
  pk: (ref: OrganizationRef) => organizationPartition(ref),
  prefix: "GROUP#",
  sk: ({ organizationUserGroupId }: { organizationUserGroupId: string }) => segment(organizationUserGroupId),
});

export const groupMemberEntity = entity<Member>()({
  name: "user-group-member",
  attributes: ["userId", "generation"],
  pk: ({ organizationUserGroupId, groupUid, ...ref }: GroupLifeRef) =>
    `${organizationPartition(ref)}#G#${segment(organizationUserGroupId)}#${groupUid}`,
  sk: ({ userId }: { userId: string }) => segment(userId),
});

/** The group's members. */
export const userGroupDescendants = (group: GroupLifeRef): Descendants => ({
  partitions: [groupMemberEntity.partition(lifeOf(group, group))],
});

/** The life of a group as read. */
const lifeOf = (
  { workspace, organizationId }: OrganizationRef,
  { organizationUserGroupId, groupUid }: Pick<UserGroup, "organizationUserGroupId" | "groupUid">,
): GroupLifeRef => ({ workspace, organizationId, organizationUserGroupId, groupUid });

export async function get({ organizationUserGroupId, ...ref }: UserGroupRef): Promise<UserGroup | undefined> {
  return (await getMany(ref, [organizationUserGroupId]))[0];
}

/** The groups in the order of `ids`; undefined where there is no such group. */
export async function getMany(organization: OrganizationRef, ids: readonly string[]) {
  const keys = ids.map((organizationUserGroupId) => userGroupEntity.key({ ...organization, organizationUserGroupId }));
  return getManyOf<UserGroup>(organization, keys);
}

/** The stored groups of these ids, in their order; undefined where there is none. */
export async function refsOf(organization: OrganizationRef, ids: readonly string[]) {
  return (await getMany(organization, ids)).map((group) => group && lifeOf(organization, group));
}

/** A group with its internal id, as another item stores it. */
export type StoredLife = Pick<UserGroup, "organizationUserGroupId" | "groupUid">;

/** These groups, in their order; undefined where a group was deleted since, also if it was added again. */
export async function lasting(organization: OrganizationRef, stored: readonly StoredLife[]) {
  const ids = stored.map(({ organizationUserGroupId }) => organizationUserGroupId);
  const lives = await refsOf(organization, ids);
  return lives.map((life, index) => (life?.groupUid === stored[index]?.groupUid ? life : undefined));
}

/** One page of the groups of an organization. */
export async function page(organization: OrganizationRef, limit: number, from?: string): Promise<Page<UserGroup>> {
  return pageOfItems(userGroupEntity, organization, { limit, from });
}

/** One page of the groups with these ids, in the order of the ids. Ids without a group are omitted. */
export async function lookUp(organization: OrganizationRef, ids: readonly string[], limit: number, from?: string) {
  return pageOfIds(ids, { limit, from }, (some) => getMany(organization, some));
}

/** The memberships of these users, in their order. */
export async function membersAmong(ref: GroupLifeRef, userIds: readonly string[]) {
  return Table.getMany<Member>(userIds.map((userId) => groupMemberEntity.key({ ...ref, userId })));
}

/** The write that creates a group. The condition fails when the id is taken. */
export function creation(ref: UserGroupRef, name: string | undefined): Write {
  const { organizationId, organizationUserGroupId } = ref;
  const group = { organizationId, organizationUserGroupId, groupUid: randomUUID(), name };
  return userGroupEntity.put(ref, { ...group, createdAt: new Date().toISOString() }, "absent");
}

/** The write that sets the group's name. The condition fails when the group has changed since it was read. */
export function renaming(organization: OrganizationRef, group: UserGroup, name: string): Write {
  return userGroupEntity.update({ ...organization, ...group }, { set: { name } }, asRead(group));
}

/** The write that removes a group. The condition fails when the group has changed since it was read. */
export function removal(organization: OrganizationRef, group: UserGroup): Write {
  return userGroupEntity.delete({ ...organization, ...group }, asRead(group));
}

const asRead = ({ groupUid, name, createdAt }: UserGroup) => ({ groupUid, name, createdAt });

/**
 * The write that adds a member. A membership belongs to one generation of its user, as a grant does. The condition
 * fails when there is a membership of the user's next generation.
 */
export function joining(ref: GroupLifeRef, { userId, generation = 0 }: Pick<User, "userId" | "generation">): Write {
  const member = { userId, ...(generation > 0 && { generation }) };
  return groupMemberEntity.put({ ...ref, userId }, member, { generation: atMost(generation) });
}

/** The write that removes a member. The condition fails when the user is not in the group in this generation. */
export function leaving(ref: GroupLifeRef, userId: string, generation: number | undefined): Write {
  return groupMemberEntity.delete({ ...ref, userId }, { userId, generation: generation || undefined });
}
