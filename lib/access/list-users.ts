// Pages of users who are members of user groups. Also adds the properties to shown users.
import { type Bounds, fillPage, type List, type Page, type Position } from "../dynamodb/page.ts";
import { inSequence, itemsOf, pageOfIds } from "../dynamodb/sources.ts";
import { notFound } from "../errors.ts";
import type { ShownUser } from "../schema/user.ts";
import * as User from "../store/access/user.ts";
import * as UserGroup from "../store/access/user-group.ts";
import * as UserProperties from "../store/access/user-properties.ts";
import type { OrganizationRef } from "../store/refs.ts";

/** A page of users: all, or only `userIds`, in their order. */
export interface Wanted extends Bounds {
  userIds: readonly string[] | undefined;
}

/** The members of the groups, each user once, group by group. */
export async function membersOf(
  organization: OrganizationRef,
  groups: readonly UserGroup.GroupLifeRef[],
  { userIds, ...bounds }: Wanted,
): Promise<Page<ShownUser>> {
  if (userIds) return pageOfIds(userIds, bounds, (ids) => membersAmong(organization, groups, ids));
  return fillPage(membersByGroup(organization, groups), bounds);
}

/** The stored groups of these ids. Throws NOT_FOUND if one is missing. */
export async function existingGroups(
  organization: OrganizationRef,
  groupIds: readonly string[],
): Promise<UserGroup.GroupLifeRef[]> {
  return (await UserGroup.refsOf(organization, groupIds)).map((group) => {
    if (!group) throw notFound("organization user group");
    return group;
  });
}

/** The entries of the groups. An entry is hidden if its user is no member, or is also a member of an earlier group. */
function membersByGroup(
  organization: OrganizationRef,
  groups: readonly UserGroup.GroupLifeRef[],
): List<UserGroup.Member & Position & { source: number }, ShownUser> {
  return {
    read: inSequence(
      groups.map((group) => itemsOf(UserGroup.groupMemberEntity, group)),
      "one by one",
    ),
    async show(entries) {
      const ids = entries.map(({ userId }) => userId);
      const [users, earlier] = await Promise.all([User.getMany(organization, ids), membershipsBefore(groups, entries)]);
      const members = entries.map((entry, index) => {
        const user = users[index];
        return isOf(entry, user) && !earlier[index]?.some((member) => isOf(member, user)) ? user : undefined;
      });
      const show = await userShower(organization, members);
      return members.map((user) => user && show(user));
    },
  };
}

const memberships = (groups: readonly UserGroup.GroupLifeRef[], userIds: readonly string[]) =>
  Promise.all(groups.map((group) => UserGroup.membersAmong(group, userIds)));

/** For each entry, the memberships of its user in the groups before the entry's own. */
async function membershipsBefore(
  groups: readonly UserGroup.GroupLifeRef[],
  entries: readonly { userId: string; source: number }[],
) {
  return Promise.all(
    entries.map(({ userId, source }) =>
      Promise.all(groups.slice(0, source).map(async (group) => (await UserGroup.membersAmong(group, [userId]))[0])),
    ),
  );
}

/** Whether the user exists, and the membership is from the user's generation. */
const isOf = (member: UserGroup.Member | undefined, user: User.User | undefined): user is User.User =>
  User.isKnown(user) && member !== undefined && (member.generation ?? 0) === User.generationOf(user);

/** These users, in their order; undefined where a user is a member of none of the groups. */
async function membersAmong(
  organization: OrganizationRef,
  groups: readonly UserGroup.GroupLifeRef[],
  userIds: readonly string[],
): Promise<(ShownUser | undefined)[]> {
  const [users, found] = await Promise.all([User.getMany(organization, userIds), memberships(groups, userIds)]);
  const members = users.map((user, index) => (found.some((each) => isOf(each[index], user)) ? user : undefined));
  const show = await userShower(organization, members);
  return members.map((user) => user && show(user));
}

/** A user in a reply, without properties. Role and expiry are absent without an active grant. */
function shownUser(user: User.User): ShownUser {
  const { userId, name, email, accessRole, expiresAt } = user;
  const grant = User.isMember(user) ? { accessRole, ...(expiresAt !== undefined && { expiresAt }) } : {};
  return { userId, name, email, isAdmin: User.isMember(user) && user.isAdmin === true, ...grant };
}

/** Reads the properties of these users. Returns a function that shows any of them with its properties. */
export async function userShower(
  organization: OrganizationRef,
  users: readonly (User.User | undefined)[],
): Promise<(user: User.User) => ShownUser> {
  const texts = await UserProperties.listOf(organization, users);
  return (user) => {
    const text = texts.get(user.userId);
    return { ...shownUser(user), ...(text !== undefined && text !== "{}" && { properties: JSON.parse(text) }) };
  };
}

/** Users with their properties. */
export async function shownUsers(organization: OrganizationRef, users: readonly User.User[]): Promise<ShownUser[]> {
  return users.map(await userShower(organization, users));
}
