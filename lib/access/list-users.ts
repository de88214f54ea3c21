// Pages of the users who are members of user groups. A page can be short, or empty, although more follow: it reads a
// bounded number of entries.
import { type Page, pageOf } from "../dynamodb/page.ts";
import * as Table from "../dynamodb/table.ts";
import { notFound } from "../errors.ts";
import type { ShownUser } from "../schema/user.ts";
import type { OrganizationRef } from "../store/refs.ts";
import * as User from "../store/user.ts";
import * as UserGroup from "../store/user-group.ts";
import { shownUser } from "./shown-user.ts";

/** What a page reads: those of `userIds`, in their order, or up to `limit` entries after `from`. */
export interface Wanted {
  userIds: readonly string[] | undefined;
  limit: number;
  from: string | undefined;
}

/** The members of the groups, each user once, group by group. Throws NOT_FOUND for a missing group. */
export async function membersOf(
  organization: OrganizationRef,
  groupIds: readonly string[],
  { userIds, limit, from = "0:" }: Wanted,
): Promise<Page<ShownUser>> {
  const groups = groupIds.map((organizationUserGroupId) => ({ ...organization, organizationUserGroupId }));
  const exist = await Promise.all(groups.map((group) => UserGroup.exists(group)));
  if (exist.includes(false)) throw notFound("organization user group");
  if (userIds) return { items: await currentMembers(organization, groups, userIds) };
  const colon = from.indexOf(":");
  const [index, after] = [Number(from.slice(0, colon)), from.slice(colon + 1)];
  const group = groups[index] as UserGroup.UserGroupRef;
  const range = UserGroup.groupMemberEntity.range(group);
  const { items, next } = await Table.page<UserGroup.Member>(range, limit, after || undefined);
  const ids = items.map(({ userId }) => userId);
  const listed = await currentMembers(organization, groups.slice(0, index), ids);
  const earlier = new Set(listed.map(({ userId }) => userId));
  const members = (await currentMembers(organization, [group], ids)).filter(({ userId }) => !earlier.has(userId));
  const following = index + 1 < groups.length ? `${index + 1}:` : undefined;
  return pageOf(members, next === undefined ? following : `${index}:${next}`);
}

const isOf = (member: UserGroup.Member | undefined, user: User.User) =>
  member !== undefined && (member.generation ?? 0) === User.generationOf(user);

/** Of these users, the members of at least one of the groups. */
async function currentMembers(
  organization: OrganizationRef,
  groups: readonly UserGroup.UserGroupRef[],
  userIds: readonly string[],
): Promise<ShownUser[]> {
  if (groups.length === 0) return [];
  const [users, ...memberships] = await Promise.all([
    User.getMany(organization, userIds),
    ...groups.map((group) => UserGroup.membersAmong(group, userIds)),
  ]);
  return users.filter(User.hasProfile).flatMap((user) => {
    const index = userIds.indexOf(user.userId);
    const isMember = memberships.some((found) => isOf(found[index], user));
    return isMember ? [shownUser(user)] : [];
  });
}
