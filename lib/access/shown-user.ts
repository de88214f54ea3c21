import type { ShownUser } from "../schema/user.ts";
import * as User from "../store/access/user.ts";
import * as UserProperties from "../store/access/user-properties.ts";
import type { OrganizationRef } from "../store/refs.ts";

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
