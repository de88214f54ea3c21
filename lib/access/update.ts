// Computes the writes of users/update for one user (DECISIONS.md#updating-users): the profile, and the grant on the
// organization or on the named resource. Omitted fields keep their values. An omitted `expiresAt` must not make access
// permanent.

import type { Write } from "../dynamodb/write.ts";
import type { UserFields } from "../schema/access.ts";
import * as Grant from "../store/grant.ts";
import * as User from "../store/user.ts";
import { accessPairs, type GrantedResource, resourceGrant, type Targets } from "./grants.ts";

export interface Update {
  resource?: GrantedResource | undefined;
  targets: Targets;
  /** The grants on the resource, by user. */
  grants: Map<string, Grant.StoredGrant | undefined>;
}

/** Returns the writes, or why nothing can be changed. The condition of the first write fails if the user is missing. */
export function updateOf(update: Update, fields: UserFields): Write[] | "nothing-to-update" | "not-found" | "no-grant" {
  const { resource, targets } = update;
  const { userId, name, email, isAdmin, ...rights } = fields;
  const requested = { ...rights, ...(!resource && { isAdmin }) };
  const changesGrant = Object.values(requested).some((value) => value !== undefined);
  if (name === undefined && email === undefined && !changesGrant) return "nothing-to-update";
  const user = targets.users.get(userId);
  if (!User.hasProfile(user)) return "not-found";
  const current = resource ? validGrant(update.grants.get(userId), user) : User.isMember(user) ? user : undefined;
  if (changesGrant && !current && !rights.accessRole) return "no-grant";
  const grant = changesGrant ? merged(current, rights) : undefined;
  const profile = { name, email };
  if (!resource) {
    const admin = isAdmin ?? (current && user.isAdmin);
    const change = { profile, ...(grant && { grant: { ...grant, isAdmin: admin } }) };
    return [User.change({ ...targets.organization, userId }, change, "known")];
  }
  const known = User.change({ ...targets.organization, userId }, { profile }, "known");
  return grant ? [known, resourceGrant(targets, userId, resource, grant)] : [known];
}

function validGrant(grant: Grant.StoredGrant | undefined, user: User.User | undefined): Grant.Grant | undefined {
  return grant && grant.generation === User.generationOf(user) && Grant.isActive(grant) ? grant : undefined;
}

function merged(current: Grant.Grant | undefined, rights: Omit<UserFields, "userId">): Grant.Grant {
  const expiresAt = rights.expiresAt ?? current?.expiresAt;
  const access = accessPairs(rights.context) ?? current?.access;
  return {
    accessRole: rights.accessRole ?? current?.accessRole ?? "editor",
    ...(expiresAt !== undefined && { expiresAt }),
    ...(access && { access }),
  };
}
