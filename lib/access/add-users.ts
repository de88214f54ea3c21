// Adds users to an organization (DECISIONS.md#adding-users): a profile, and a grant on the organization or on the
// named resource. A stored profile and an active grant there are never changed. The condition of each write is that
// nothing has changed since it was read. Otherwise the users are read again, and the decision is made again.
import { beside } from "../concurrency.ts";
import { refuseBeingErased } from "../deletion/being-deleted.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import { commitEach } from "../jobs/commit.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import type { UserFields } from "../schema/access.ts";
import * as Grant from "../store/access/grant.ts";
import type * as GrantUids from "../store/access/grant-uids.ts";
import * as User from "../store/access/user.ts";
import * as Folder from "../store/content/folder.ts";
import type { OrganizationRef } from "../store/refs.ts";
import {
  followMigrations,
  type GrantedResource,
  grantOf,
  loadTargets,
  resourceGrant,
  roleOf,
  type Targets,
} from "./requested-grants.ts";
import { grantsOn, type UserGrant } from "./resource-grants.ts";

/**
 * `added`: the user had no profile, and gets a profile and the grant. `added-with-role`: the user had no profile but an
 * active grant there, and gets a profile. `granted`: the user had a profile, and gets the grant. `already-exists`: the
 * user had both.
 */
export type Outcome = "added" | "added-with-role" | "granted" | "already-exists";

interface Addition {
  targets: Targets;
  resource: GrantedResource | undefined;
  /** The folder or document does not exist. The grants on it take effect when it is added. */
  isMissing: boolean;
  /** The grants of known users on the folder or document. */
  grants: Map<string, UserGrant>;
}

/**
 * Adds users, each named once. ABORTED while one of them is being erased. Then nobody is added, unless the erasure
 * began during the call. `ensureOrganization` throws if there is no organization.
 */
export async function addUsers(
  organization: OrganizationRef,
  resource: GrantedResource | undefined,
  users: readonly UserFields[],
  ensureOrganization: () => Promise<void>,
): Promise<{ outcomes: Map<string, Outcome>; isMissing: boolean }> {
  const outcomes = new Map<string, Outcome>();
  let isMissing = false;
  let rest = users;
  await retryOnConflict("users", async () => {
    // In an organization that is being deleted, no user is found, and the users' items are still stored.
    const check = ensureOrganization();
    const addition = await beside(check, load(organization, resource, rest, check));
    isMissing = addition.isMissing;
    const units = rest.map((fields) => ({ fields, ...unitOf(addition, fields) }));
    const changing = units.filter(({ writes }) => writes.length > 0);
    const isWritten = await commitEach(changing, (done) => ({ events: done.map(({ event }) => event) }));
    const failed = new Set(changing.filter((_, index) => !isWritten[index]));
    const done = changing.filter((unit) => !failed.has(unit));
    const written = done.map(({ fields }) => fields.userId);
    if (resource) await followMigrations(addition.targets, (now) => moveWaiting(now, resource, written));
    for (const unit of units) if (!failed.has(unit)) outcomes.set(unit.fields.userId, unit.outcome);
    // The other users have changed since they were read.
    rest = [...failed].map(({ fields }) => fields);
    return rest.length === 0 ? undefined : conflict;
  });
  return { outcomes, isMissing };
}

async function load(
  organization: OrganizationRef,
  resource: GrantedResource | undefined,
  users: readonly UserFields[],
  check: Promise<void>,
): Promise<Addition> {
  const ids = users.map(({ userId }) => userId);
  const [targets] = await Promise.all([
    loadTargets(organization, ids, resource ? [resource] : [], check),
    refuseBeingErased(organization, ids),
  ]);
  if (!resource) return { targets, resource, isMissing: false, grants: new Map() };
  const uids = targets.uidsById.get(resource.id);
  const known = ids.filter((id) => User.isKnown(targets.users.get(id)));
  const folder = targets.folders.get(resource.id);
  const target = { organization, ...(uids ? { uids } : { folderUid: Folder.uidOf(resource.id, folder) }) };
  const grants = known.length > 0 ? await grantsOn(target, known) : new Map<string, UserGrant>();
  return { targets, resource, isMissing: uids ? uids.isReserved : !Folder.isFolder(folder), grants };
}

/**
 * Moves grants that were just written under a reserved internal id, if a document has got the id since. The migration
 * does the same later. In both cases, a grant that the user already has on the document itself counts instead.
 */
async function moveWaiting(now: Targets, { id }: GrantedResource, userIds: readonly string[]): Promise<void> {
  const { organization, users, uidsById } = now;
  const uids = uidsById.get(id) as GrantUids.GrantUids;
  const grants = await grantsOn({ organization, uids }, userIds);
  const units = userIds.flatMap((userId) => {
    const { own, found, replaced } = grants.get(userId) as UserGrant;
    const waiting = found.find((each) => each !== own && User.holds(users.get(userId), each));
    if (!waiting || User.holds(users.get(userId), own)) return [];
    return [{ writes: [sameGeneration(now, userId), ...replaced(waiting)] }];
  });
  await commitEach(units);
}

interface AddedUnit {
  outcome: Outcome;
  /** None: nothing changes. */
  writes: Write[];
  event: DomainEvent;
}

function unitOf({ targets, resource, grants }: Addition, fields: UserFields): AddedUnit {
  const { organization, users } = targets;
  const { workspace, organizationId } = organization;
  const { userId, name, email, isAdmin } = fields;
  const ref = { ...organization, userId };
  const grant = grantOf(fields);
  const user = users.get(userId);
  const stored = grants.get(userId);
  const hasGrant = resource ? stored?.found.some((each) => User.holds(user, each)) : User.isMember(user);
  const onResource = () => {
    if (!resource || hasGrant) return [];
    if (!stored) return resourceGrant(targets, userId, resource, grant);
    return stored.replaced({ ...grant, userId, generation: User.generationOf(user) });
  };
  const onOrganization = resource || hasGrant ? {} : { grant: { ...grant, isAdmin } };
  // `wasGranted` is set before a guest's first grant on a folder or document. Without it, no grants were read.
  const { generation, wasGranted } = user ?? {};
  const unchanged = resource ? { generation, wasGranted } : Grant.asRead(user ?? {});
  const about = { workspace, organizationId };
  if (!User.hasProfile(user)) {
    const added = User.change(ref, { ...onOrganization, profile: { name, email } }, "new", unchanged);
    const event: DomainEvent = { ...about, type: "user.add", data: { userId } };
    return { outcome: hasGrant ? "added-with-role" : "added", writes: [added, ...onResource()], event };
  }
  const on = resource ?? { type: "organization", id: organizationId };
  const event: DomainEvent = {
    ...about,
    type: "permission.update",
    data: { userId, resource: on, accessRole: roleOf(grant), before: null },
  };
  if (hasGrant) return { outcome: "already-exists", writes: [], event };
  const changed = User.change(ref, onOrganization, "known", unchanged);
  return { outcome: "granted", writes: [changed, ...onResource()], event };
}

/** The write whose condition fails if the user was deleted since the read. */
const sameGeneration = ({ organization, users }: Targets, userId: string) =>
  User.change({ ...organization, userId }, {}, "known", { generation: users.get(userId)?.generation });
