// Grants a user access to resources, organization by organization. Safe to repeat: each write sets the final state.
import { inParallel } from "../concurrency.ts";
import type { Unit } from "../dynamodb/transaction.ts";
import { commit, commitEach } from "../jobs/commit.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import type { ResourceGrant } from "../schema/access.ts";
import * as User from "../store/user.ts";
import { byOrganization, followMigrations, grantOf, loadTargets, resourceGrant, type Targets } from "./grants.ts";

interface GrantRequest {
  workspace: string;
  userId: string;
  resources: readonly ResourceGrant[];
  /** Creates the user, or updates the profile, in every organization named. */
  profile?: User.Profile;
  /** Applies to the grants on organizations. */
  isAdmin?: boolean;
}

const organizationsInFlight = 4;

export async function grantAccess(request: GrantRequest): Promise<void> {
  const groups = [...byOrganization(request.resources)];
  await inParallel(groups, organizationsInFlight, async ([organizationId, resources]) => {
    const documentIds = resources.filter(({ type }) => type === "document").map(({ id }) => id);
    const organization = { workspace: request.workspace, organizationId };
    const targets = await loadTargets(organization, [request.userId], documentIds);
    const write = async (targets: Targets, request: GrantRequest, resources: readonly ResourceGrant[]) => {
      const units = await unitsOf(targets, request, resources);
      await commitEach(units, (done) => ({ events: done.flatMap((unit) => unit.events) }));
    };
    await write(targets, request, resources);
    const { profile: _, ...grantsOnly } = request;
    await followMigrations(targets, (targets, ids) =>
      write(
        targets,
        grantsOnly,
        resources.filter(({ type, id }) => type === "document" && ids.has(id)),
      ),
    );
  });
}

type EventfulUnit = Unit & { events: DomainEvent[] };

async function unitsOf(
  targets: Targets,
  { userId, profile, isAdmin }: GrantRequest,
  resources: readonly ResourceGrant[],
): Promise<EventfulUnit[]> {
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
  const user = User.change({ ...organization, userId }, change, "either");
  const events = [...(profile ? [event("user.update", {})] : []), ...(onOrganization ? [granted(onOrganization)] : [])];
  const own = onOrganization || profile ? [{ writes: [user], events }] : [];
  // The purge of an organization finds folder grants only through user items. So this user needs an item.
  const isUnknown = own.length === 0 && targets.users.get(userId) === undefined;
  if (isUnknown && resources.some(({ type }) => type === "folder")) {
    await commit([User.ensureItem({ ...organization, userId })]);
  }
  return [...own, ...resources.flatMap((each) => partOf(each))];

  function granted({ type, id }: ResourceGrant): DomainEvent {
    return event("permission.update", { resource: { type, id } });
  }

  function partOf(resource: ResourceGrant): EventfulUnit[] {
    const { type, id } = resource;
    if (type === "organization") return [];
    const writes = resourceGrant(targets, userId, { type, id }, grantOf(resource));
    return [{ writes, events: [granted(resource)] }];
  }
}
