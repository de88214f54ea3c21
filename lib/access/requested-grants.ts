// Turns the resources of a request into writes of grants.
import { refuseBeingDeleted } from "../deletion/being-deleted.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import type { AccessContext, ResourceGrant, ResourceName } from "../schema/access.ts";
import * as Grant from "../store/access/grant.ts";
import * as GrantUids from "../store/access/grant-uids.ts";
import * as User from "../store/access/user.ts";
import * as Folder from "../store/content/folder.ts";
import type { OrganizationRef } from "../store/refs.ts";

/** Distinct [field, value] pairs. The values are strings. */
export function accessPairs(context: AccessContext | undefined): [string, string][] | undefined {
  if (!context) return undefined;
  const pairs = Object.entries(context.access).flatMap(([field, values]) =>
    [values].flat().map((value): [string, string] => [field, String(value)]),
  );
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()];
}

export function grantOf(resource: Pick<ResourceGrant, "accessRole" | "expiresAt" | "context">): Grant.Grant {
  const access = accessPairs(resource.context);
  return {
    accessRole: resource.accessRole ?? "editor",
    ...(resource.expiresAt !== undefined && { expiresAt: resource.expiresAt }),
    ...(access && { access }),
  };
}

/** What a grant gives now. null: there is none, or a past time has ended it. */
export const roleOf = (grant: Partial<Grant.Grant> | undefined) =>
  Grant.isActive(grant) ? (grant?.accessRole ?? null) : null;

/** The organization of a resource, or the resource if it is one. */
export const organizationOf = (resource: ResourceName) =>
  resource.type === "organization" ? resource.id : (resource.organizationId as string);

/** Groups the resources by organization. If a resource is repeated, the last one counts. */
export function byOrganization<R extends ResourceName>(resources: readonly R[]): Map<string, R[]> {
  const distinct = new Map(resources.map((each) => [JSON.stringify([each.type, each.id, organizationOf(each)]), each]));
  return Map.groupBy(distinct.values(), organizationOf);
}

/**
 * Reads what grants in one organization depend on: the users, and the internal ids of the resources. After `check` has
 * resolved, it reserves an internal id for each document that does not exist yet. ABORTED if the organization is being
 * deleted.
 */
export async function loadTargets(
  organization: OrganizationRef,
  userIds: readonly string[],
  resources: readonly Pick<ResourceName, "type" | "id">[],
  check: Promise<unknown>,
) {
  const idsOf = (wanted: ResourceName["type"]) => resources.filter(({ type }) => type === wanted).map(({ id }) => id);
  const refuse = () => Promise.all([check, refuseBeingDeleted(organization, [organization.organizationId])]);
  const [users, uidsById, folders] = await Promise.all([
    User.getMany(organization, userIds),
    GrantUids.reserve(organization, idsOf("document"), refuse),
    Folder.pointersById(organization, idsOf("folder")),
  ]);
  return { organization, users: new Map(userIds.map((id, index) => [id, users[index]])), uidsById, folders };
}

/** A resource whose grants are separate items. A grant on an organization is part of the user's item. */
export interface GrantedResource {
  type: "folder" | "document";
  id: string;
}

export type Targets = Awaited<ReturnType<typeof loadTargets>>;

/**
 * The writes of one grant on a folder or a document. A grant that waits for a migration is deleted, so that it does not
 * replace this one later.
 */
export function resourceGrant(
  { organization, users, uidsById, folders }: Targets,
  userId: string,
  { type, id }: GrantedResource,
  grant: Grant.Grant,
): Write[] {
  const stored = { ...grant, userId, generation: User.generationOf(users.get(userId)) };
  if (type === "folder") {
    return Grant.onFolder({ ...organization, folderUid: Folder.uidOf(id, folders.get(id)) }, stored);
  }
  const { documentUid, waitingUids } = uidsById.get(id) as GrantUids.GrantUids;
  const { workspace } = organization;
  return [
    Grant.onDocument({ workspace, documentUid }, stored),
    ...waitingUids.map((uid) => Grant.documentGrantEntity.delete({ workspace, documentUid: uid, userId })),
  ];
}

/**
 * Repeats grants that were just written under a reserved internal id. It does so if a migration has given the id to a
 * document meanwhile. `write` writes the grants on the documents of `uidsById` again.
 */
export async function followMigrations(
  targets: Targets,
  write: (targets: Targets, documentIds: ReadonlySet<string>) => Promise<unknown>,
): Promise<void> {
  let { uidsById } = targets;
  await retryOnConflict("documents", async () => {
    uidsById = await GrantUids.moved(targets.organization, uidsById);
    if (uidsById.size === 0) return undefined;
    await write({ ...targets, uidsById }, new Set(uidsById.keys()));
    return conflict;
  });
}
