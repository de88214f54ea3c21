import type { ShownUser } from "../schema/user.ts";
import * as User from "../store/user.ts";

/** A user in a reply. Role and expiry are absent without an active grant. */
export function shownUser(user: User.User): ShownUser {
  const { userId, name, email, accessRole, expiresAt } = user;
  const grant = User.isMember(user) ? { accessRole, ...(expiresAt !== undefined && { expiresAt }) } : {};
  return { userId, name, email, isAdmin: User.isMember(user) && user.isAdmin === true, ...grant };
}
