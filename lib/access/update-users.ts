// Updates users (DECISIONS.md#adding-users): the profile, and the grant on the organization or on the named resource.
// Omitted fields keep their values. An omitted `expiresAt` must not make access permanent. So the condition of each
// write is that the grant is as it was read. Otherwise the decision is made again.
import { refuseBeingErased } from "../deletion/being-deleted.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import { commitEach } from "../jobs/commit.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { propertiesBytesMax, propertiesOf, type UserFields, type UserUpdate } from "../schema/access.ts";
import type { AccessRole } from "../schema/primitives.ts";
import * as Grant from "../store/access/grant.ts";
import * as User from "../store/access/user.ts";
import * as UserProperties from "../store/access/user-properties.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { accessPairs, type GrantedResource, roleOf } from "./requested-grants.ts";
import { existingTarget, grantsOn, type Target, type UserGrant } from "./resource-grants.ts";

export type Refusal = "nothing-to-update" | "resource-not-found" | "not-found" | "no-grant" | "properties-too-large";

interface Update {
  organization: OrganizationRef;
  users: Map<string, User.User | undefined>;
  /** Absent: the organization. Undefined: the folder or document does not exist. */
  target?: Target | undefined;
  /** The grants on the folder or document, by user. */
  grants: Map<string, UserGrant>;
  /** The stored properties of the users whose properties change, as JSON. */
  properties: Map<string, string>;
}

/**
 * Updates users, each named once, and their grants on the resource; without a resource, on the organization. Returns
 * why some were refused. ABORTED while one of the users is being erased.
 */
export async function updateUsers(
  organization: OrganizationRef,
  resource: GrantedResource | undefined,
  users: readonly UserUpdate[],
): Promise<Map<string, Refusal>> {
  const { workspace, organizationId } = organization;
  const refused = new Map<string, Refusal>();
  let rest = users;
  await retryOnConflict("users", async () => {
    const update = await load(organization, resource, rest);
    const units = rest.flatMap((fields) => {
      const { userId } = fields;
      const change = updateOf(update, fields);
      if (typeof change !== "string") return [{ userId, fields, ...change }];
      refused.set(userId, change);
      return [];
    });
    const { type, id } = resource ?? { type: "organization", id: organizationId };
    const written = await commitEach(units, (updated) => ({
      events: updated.flatMap(({ userId, roles }): DomainEvent[] => [
        { type: "user.update", workspace, organizationId, data: { userId } },
        ...(roles
          ? [
              {
                ...{ type: "permission.update" as const, workspace, organizationId },
                data: { userId, resource: { type, id }, ...roles },
              },
            ]
          : []),
      ]),
    }));
    rest = units.filter((_, index) => !written[index]).map(({ fields }) => fields);
    return rest.length === 0 ? undefined : conflict;
  });
  return refused;
}

async function load(
  organization: OrganizationRef,
  resource: GrantedResource | undefined,
  fields: readonly UserUpdate[],
): Promise<Update> {
  const ids = fields.map(({ userId }) => userId);
  const [found, target] = await Promise.all([
    User.getMany(organization, ids),
    resource && existingTarget(organization, resource),
    refuseBeingErased(organization, ids),
  ]);
  const users = new Map(ids.map((id, index) => [id, found[index]]));
  const grants = target ? await grantsOn(target, ids) : new Map<string, UserGrant>();
  const changing = fields.filter((each) => propertiesOf(each).length > 0);
  const properties = await UserProperties.listOf(
    organization,
    changing.map(({ userId }) => users.get(userId)),
  );
  return { organization, users, grants, properties, ...(resource && { target }) };
}

interface Change {
  writes: Write[];
  /** The role of the grant before and after. Absent: the grant does not change. */
  roles?: { before: AccessRole | null; accessRole: AccessRole | null } | undefined;
}

/** Returns the writes, or why nothing can change. A condition fails if the user was deleted or the grant changed. */
function updateOf(update: Update, fields: UserUpdate): Change | Refusal {
  const { organization, users, target } = update;
  const { userId, name, email, isAdmin, accessRole, expiresAt, context } = fields;
  const rights = { accessRole, expiresAt, context };
  const properties = propertiesOf(fields);
  const isOnOrganization = !("target" in update);
  const requested = { ...rights, isAdmin: isOnOrganization ? isAdmin : undefined };
  const isGiven = (value: unknown) => value !== undefined;
  if (![name, email, ...Object.values(requested), ...properties].some(isGiven)) return "nothing-to-update";
  if (!isOnOrganization && !target) return "resource-not-found";
  const user = users.get(userId);
  if (!User.isKnown(user)) return "not-found";
  const stored = update.grants.get(userId);
  const current = target ? validGrant(stored, user) : User.isMember(user) ? user : undefined;
  // Without a grant, nobody is an admin: a user can be sent as a reply shows it.
  const isAdminChanged = requested.isAdmin === true || current !== undefined;
  const changesGrant = Object.values(isAdminChanged ? requested : rights).some(isGiven);
  if (changesGrant && !current && !rights.accessRole) return "no-grant";
  const grant = changesGrant ? merged(current, rights) : undefined;
  const roles = grant && { before: current?.accessRole ?? null, accessRole: roleOf(grant) };
  const propertyWrites = properties.length > 0 ? changedProperties(update, user, properties) : [];
  if (!propertyWrites) return "properties-too-large";
  const profile = [name, email, ...properties].some(isGiven) ? { profile: { name, email } } : {};
  const changed = (change: User.UserChange) => withProperties(changeOf(organization, user, change), properties);
  if (!target) {
    const admin = isAdmin ?? (current && user.isAdmin);
    const granted = grant && { grant: { ...grant, isAdmin: admin } };
    return { writes: [...propertyWrites, changed({ ...profile, ...granted })], roles };
  }
  const known = changed(profile);
  const generation = User.generationOf(user);
  const replaced = grant && stored ? stored.replaced({ ...grant, userId, generation }) : [];
  return { writes: [...propertyWrites, known, ...replaced], roles };
}

/**
 * The write of a change. Its condition fails if the user was deleted, or if a grant that it replaces has changed. A user
 * without a profile gets one with the first field of it.
 */
function changeOf(organization: OrganizationRef, user: User.User, change: User.UserChange) {
  const { userId, generation, createdAt, wasGranted, isAdmin } = user;
  const asRead = createdAt === undefined ? { createdAt, wasGranted, ...Grant.asRead(user) } : { generation };
  const replaced = change.grant && { isAdmin, ...Grant.asRead(user) };
  const condition = createdAt === undefined ? "either" : "known";
  return User.change({ ...organization, userId }, change, condition, { ...asRead, ...replaced });
}

/** The user's active grant. A grant that waits for a migration counts if the document's own place has none. */
function validGrant(stored: UserGrant | undefined, user: User.User | undefined): Grant.Grant | undefined {
  return stored?.found.find((grant) => User.holds(user, grant));
}

/** The writes of the properties after the change; undefined: they would be too large. */
function changedProperties(
  { organization, properties: stored }: Update,
  user: User.User,
  changes: [string, unknown][],
) {
  const before = stored.get(user.userId);
  const names = new Set(changes.map(([name]) => name));
  const kept = Object.entries(JSON.parse(before ?? "{}")).filter(([name]) => !names.has(name));
  const text = JSON.stringify(Object.fromEntries([...kept, ...changes.filter(([, value]) => value !== null)]));
  if (Buffer.byteLength(text) > propertiesBytesMax) return undefined;
  return [UserProperties.replacement(organization, user, before, text)];
}

/** Marks the user's item, so that readers look for the properties. */
function withProperties(write: ReturnType<typeof User.change>, properties: readonly unknown[]) {
  return properties.length === 0 ? write : { ...write, set: { ...write.set, hasProperties: true } };
}

function merged(
  current: Grant.Grant | undefined,
  rights: Pick<UserFields, "accessRole" | "expiresAt" | "context">,
): Grant.Grant {
  const expiresAt = rights.expiresAt ?? current?.expiresAt;
  const access = accessPairs(rights.context) ?? current?.access;
  return {
    accessRole: rights.accessRole ?? current?.accessRole ?? "editor",
    ...(expiresAt !== undefined && { expiresAt }),
    ...(access && { access }),
  };
}
