// Pages of the users who have a grant on one folder or document, or who are members of user groups. A page can be short,
// or empty, although more follow: it reads a bounded number of entries.
import type { Key } from "../dynamodb/key.ts";
import { type Page, pageOf } from "../dynamodb/page.ts";
import * as Table from "../dynamodb/table.ts";
import { notFound } from "../errors.ts";
import type { ShownUser } from "../schema/user.ts";
import * as Grant from "../store/grant.ts";
import type { OrganizationRef } from "../store/refs.ts";
import * as User from "../store/user.ts";
import * as UserGroup from "../store/user-group.ts";
import type { GrantedResource } from "./grants.ts";
import { existingTarget } from "./resource-grants.ts";
import { shownUser } from "./shown-user.ts";

/** What a page reads: those of `userIds`, in their order, or up to `limit` entries after `from`. */
export interface Wanted {
  userIds: readonly string[] | undefined;
  limit: number;
  from: string | undefined;
}

/**
 * The users with an active grant on an existing folder or document, with the role of that grant, also those without a
 * profile. Throws NOT_FOUND for a missing folder or document.
 */
export async function usersWithGrant(
  organization: OrganizationRef,
  resource: GrantedResource,
  { userIds, limit, from }: Wanted,
): Promise<Page<ShownUser>> {
  const target = await existingTarget(organization, resource);
  if (!target) throw notFound(resource.type);
  const { workspace } = organization;
  if (target.place) {
    const document = { workspace, documentUid: target.place.documentUid };
    if (userIds) {
      const grants = await Grant.listOnDocument(document, userIds);
      return { items: granted(grants, await User.getMany(organization, userIds)) };
    }
    const range = { ...Grant.documentGrantEntity.range(document), limit, ...(from && { after: from }) };
    const { items, next } = await Table.query<Grant.StoredGrant & Key>(range);
    const ids = items.map(({ userId }) => userId);
    return pageOf(granted(items, await User.getMany(organization, ids)), next);
  }
  // Folder grants are listed by user, and each user with one has an item.
  const folder = { ...organization, folderId: resource.id };
  if (userIds) {
    const [grants, users] = await Promise.all([
      Grant.listOnFolder(folder, userIds),
      User.getMany(organization, userIds),
    ]);
    return { items: granted(grants, users) };
  }
  const { items: users, next } = await User.pageOfItems(organization, limit, from);
  const ids = users.map(({ userId }) => userId);
  return pageOf(granted(await Grant.listOnFolder(folder, ids), users), next);
}

function granted(grants: readonly (Grant.StoredGrant | undefined)[], users: readonly (User.User | undefined)[]) {
  return grants.flatMap((grant, index): ShownUser[] => {
    const user = users[index];
    if (!grant || !Grant.isActive(grant) || grant.generation !== User.generationOf(user)) return [];
    const { userId, accessRole, expiresAt } = grant;
    const { expiresAt: _, ...shown } = shownUser(user ?? { userId });
    return [{ ...shown, accessRole, ...(expiresAt !== undefined && { expiresAt }) }];
  });
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
  const range = { ...UserGroup.groupMemberEntity.range(group), limit, ...(after && { after }) };
  const { items, next } = await Table.query<UserGroup.Member & Key>(range);
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
