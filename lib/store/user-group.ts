// User groups of an organization, and their members.
import { entity } from "../dynamodb/entity.ts";
import { type Key, segment } from "../dynamodb/key.ts";
import { type Page, pageOf } from "../dynamodb/page.ts";
import * as Table from "../dynamodb/table.ts";
import { atMost, type Write } from "../dynamodb/write.ts";
import type { Descendants } from "./descendants.ts";
import { type OrganizationRef, organizationPartition } from "./refs.ts";
import type { User } from "./user.ts";

export interface UserGroup {
  organizationId: string;
  organizationUserGroupId: string;
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

export const userGroupEntity = entity<UserGroup>()({
  name: "user-group",
  attributes: { organizationId: true, organizationUserGroupId: true, name: true, createdAt: true },
  pk: (ref: OrganizationRef) => organizationPartition(ref),
  prefix: "GROUP#",
  sk: ({ organizationUserGroupId }: { organizationUserGroupId: string }) => segment(organizationUserGroupId),
});

export const groupMemberEntity = entity<Member>()({
  name: "user-group-member",
  attributes: { userId: true, generation: true },
  pk: ({ organizationUserGroupId, ...ref }: UserGroupRef) =>
    `${organizationPartition(ref)}#G#${segment(organizationUserGroupId)}`,
  sk: ({ userId }: { userId: string }) => segment(userId),
});

/** The group's members. */
export const userGroupDescendants = ({
  workspace,
  organizationId,
  organizationUserGroupId,
}: UserGroupRef): Descendants => ({
  partitions: [groupMemberEntity.partition({ workspace, organizationId, organizationUserGroupId })],
});

export async function exists(ref: UserGroupRef): Promise<boolean> {
  return (await Table.get(userGroupEntity.key(ref))) !== undefined;
}

/** The memberships of these users, in their order. */
export async function membersAmong(ref: UserGroupRef, userIds: readonly string[]) {
  return Table.getMany<Member>(userIds.map((userId) => groupMemberEntity.key({ ...ref, userId })));
}

/** A membership, in a list of several groups. Its `sk` is a position: the group's index and, after a colon, its key. */
export interface GroupEntry extends Member {
  sk: string;
  /** The index of the group. */
  group: number;
}

/** Up to `limit` entries of one of the groups. Groups follow each other in their order. */
export async function entries(groups: readonly UserGroupRef[], limit: number, from = "0:"): Promise<Page<GroupEntry>> {
  const colon = from.indexOf(":");
  const [group, after] = [Number(from.slice(0, colon)), from.slice(colon + 1)];
  const range = groupMemberEntity.range(groups[group] as UserGroupRef);
  const page = await Table.queryFull<Member & Key>({ ...range, limit, after });
  const items = page.items.map(({ sk, ...member }) => ({ ...member, group, sk: `${group}:${sk}` }));
  const following = group + 1 < groups.length ? `${group + 1}:` : undefined;
  return pageOf(items, page.next === undefined ? following : `${group}:${page.next}`);
}

/** The write that creates a group. The condition fails when the id is taken. */
export function creation(ref: UserGroupRef, name: string | undefined): Write {
  const { organizationId, organizationUserGroupId } = ref;
  const createdAt = new Date().toISOString();
  return userGroupEntity.put(ref, { organizationId, organizationUserGroupId, name, createdAt }, "absent");
}

/**
 * The write that adds a member. A membership belongs to one generation of its user, as a grant does. The condition fails
 * when there is one of the user's next generation.
 */
export function joining(ref: UserGroupRef, { userId, generation = 0 }: Pick<User, "userId" | "generation">): Write {
  const member = { userId, ...(generation > 0 && { generation }) };
  return groupMemberEntity.put({ ...ref, userId }, member, { generation: atMost(generation) });
}

/** The write that removes a member. The condition fails when the user is not in the group in this generation. */
export function leaving(ref: UserGroupRef, userId: string, generation: number | undefined): Write {
  return groupMemberEntity.delete({ ...ref, userId }, { userId, generation: generation || undefined });
}
