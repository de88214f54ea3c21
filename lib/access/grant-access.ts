// Grants a user access to resources, organization by organization. Safe to repeat: each write sets the final state.
import { beside, inParallel } from "../concurrency.ts";
import { refuseBeingErased, refuseDeletion } from "../deletion/being-deleted.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Unit } from "../dynamodb/transaction.ts";
import { commit, commitEach } from "../jobs/commit.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import type { ResourceGrant } from "../schema/access.ts";
import type { AccessRole } from "../schema/primitives.ts";
import * as User from "../store/access/user.ts";
import { getStored } from "../store/content/organization-life.ts";
import {
  byOrganization,
  followMigrations,
  grantOf,
  loadTargets,
  resourceGrant,
  roleOf,
  type Targets,
} from "./requested-grants.ts";

interface GrantRequest {
  workspace: string;
  userId: string;
  resources: readonly ResourceGrant[];
  /** Creates the user, or updates the profile, in every organization named. */
  profile?: User.Profile;
  /** Applies to the grants on organizations. */
  isAdmin?: boolean;
  /** All writes wait for it. It rejects when the call is refused. */
  check: Promise<unknown>;
  /** Creates missing organizations. Runs when the first check of all of them has refused nothing. */
  create?: (missing: readonly string[]) => Promise<void>;
}

const organizationsInFlight = 4;

/**
 * Returns the user's generation in each organization of the resources. All grants on one organization and its resources
 * belong to that generation. ABORTED while one of them is being deleted, or the user is being erased in one of them.
 * Then no access is given, unless the deletion or erasure began during the call.
 */
export async function grantAccess(request: GrantRequest): Promise<[organizationId: string, generation: number][]> {
  const { workspace, userId } = request;
  const groups = [...byOrganization(request.resources)];
  // A token without resources opens public documents.
  const allowed = groups.length === 0 ? refuseBeingErased({ workspace }, [userId]) : undefined;
  const loaded = await beside(
    Promise.all([request.check, allowed]),
    inParallel(groups, organizationsInFlight, async ([organizationId, resources]) => ({
      organizationId,
      resources,
      ...(await loadFor(request, organizationId, resources)),
    })),
  );
  const missing = loaded.filter(({ isMissing }) => isMissing);
  await request.create?.(missing.map(({ organizationId }) => organizationId));
  return inParallel(loaded, organizationsInFlight, async ({ organizationId, resources, targets }) => {
    let current = targets;
    return retryOnConflict<[string, number]>("user", async (attempt) => {
      if (attempt > 0) current = (await loadFor(request, organizationId, resources)).targets;
      const isWritten = (await ensureKnown(current, request, resources)) && (await write(current, request, resources));
      if (!isWritten) return conflict;
      await follow(current, request, resources);
      const generation = User.generationOf(current.users.get(request.userId));
      return (await isPresent(current, request, resources, generation)) ? [organizationId, generation] : conflict;
    });
  });
}

async function follow(targets: Targets, { profile: _, ...grantsOnly }: GrantRequest, resources: ResourceGrant[]) {
  const onDocuments = resources.filter(({ type }) => type === "document");
  await followMigrations(targets, (now, ids) =>
    write(
      now,
      grantsOnly,
      onDocuments.filter(({ id }) => ids.has(id)),
    ),
  );
}

/**
 * Whether the user still has the generation of the grants that were just written. A grant on an organization is part of
 * the user's item, and its write has the generation as condition. The other grants are written without one: a condition
 * on the user's item in each transaction would make the transactions of one call conflict.
 */
async function isPresent(
  { organization }: Targets,
  { userId }: GrantRequest,
  resources: readonly ResourceGrant[],
  generation: number,
): Promise<boolean> {
  if (resources.every(({ type }) => type === "organization")) return true;
  return User.generationOf(await User.get({ ...organization, userId })) === generation;
}

async function loadFor({ workspace, userId, check }: GrantRequest, organizationId: string, resources: ResourceGrant[]) {
  const organization = { workspace, organizationId };
  const [targets, stored] = await Promise.all([
    loadTargets(organization, [userId], resources, check),
    getStored({ workspace }, [organizationId]),
    refuseBeingErased(organization, [userId]),
  ]);
  refuseDeletion(stored);
  return { targets, isMissing: !stored[0] };
}

/** Returns false if the user was deleted meanwhile. */
async function write(targets: Targets, request: GrantRequest, resources: readonly ResourceGrant[]): Promise<boolean> {
  const units = unitsOf(targets, request, resources);
  const written = await commitEach(units, (done) => ({ events: done.flatMap((unit) => unit.events) }));
  return !written.includes(false);
}

/**
 * Creates the item of a user who gets only grants on folders and documents. The purge of an organization finds folder
 * grants only through the users' items. Returns false if the user was deleted meanwhile.
 */
async function ensureKnown(
  { organization, users }: Targets,
  request: GrantRequest,
  resources: readonly ResourceGrant[],
): Promise<boolean> {
  const { userId, profile } = request;
  const user = users.get(userId);
  const isMade = profile !== undefined || resources.some(({ type }) => type === "organization");
  if (isMade || resources.length === 0 || user?.createdAt !== undefined || user?.wasGranted) return true;
  return commit([User.beginGuest({ ...organization, userId }, user)]);
}

type EventfulUnit = Unit & { events: DomainEvent[] };

function unitsOf(
  targets: Targets,
  { userId, profile, isAdmin }: GrantRequest,
  resources: readonly ResourceGrant[],
): EventfulUnit[] {
  const { organization } = targets;
  const { workspace, organizationId } = organization;
  const event = (type: "user.update" | "permission.update", data: object): DomainEvent => ({
    type,
    workspace,
    organizationId,
    data: { userId, ...data },
  });
  const onOrganization = resources.find(({ type }) => type === "organization");
  const change = {
    ...(profile && { profile }),
    ...(onOrganization && { grant: { ...grantOf(onOrganization), isAdmin } }),
  };
  const stored = targets.users.get(userId);
  const asRead = { generation: stored?.generation, ...(onOrganization && User.sameRole(stored)) };
  const user = User.change({ ...organization, userId }, change, "either", asRead);
  const events = [
    ...(profile ? [event("user.update", {})] : []),
    ...(onOrganization ? [granted(onOrganization, { before: roleOf(stored) })] : []),
  ];
  const own = onOrganization || profile ? [{ writes: [user], events }] : [];
  return [...own, ...resources.flatMap((each) => partOf(each))];

  function granted(resource: ResourceGrant, more?: { before: AccessRole | null }): DomainEvent {
    const { type, id } = resource;
    return event("permission.update", { resource: { type, id }, accessRole: roleOf(grantOf(resource)), ...more });
  }

  function partOf(resource: ResourceGrant): EventfulUnit[] {
    const { type, id } = resource;
    if (type === "organization") return [];
    const writes = resourceGrant(targets, userId, { type, id }, grantOf(resource));
    return [{ writes, events: [granted(resource)] }];
  }
}
