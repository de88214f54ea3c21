// Turns the resources of a request into writes of grants.
import { refuseBeingDeleted } from "../deletion/being-deleted.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import { ApiError } from "../errors.ts";
import * as Jobs from "../jobs/store.ts";
import type { AccessContext, ResourceGrant, ResourceName } from "../schema/access.ts";
import * as Grant from "../store/access/grant.ts";
import * as GrantPlace from "../store/access/grant-place.ts";
import * as User from "../store/access/user.ts";
import * as Folder from "../store/content/folder.ts";
import * as BeingErased from "../store/erasure/being-erased.ts";
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

const organizationOf = (resource: ResourceName) =>
  resource.type === "organization" ? resource.id : (resource.organizationId as string);

/** Groups the resources by organization. Of repeated resources, the last one counts. */
export function byOrganization<R extends ResourceName>(resources: readonly R[]): Map<string, R[]> {
  const distinct = new Map(resources.map((each) => [JSON.stringify([each.type, each.id, organizationOf(each)]), each]));
  return Map.groupBy(distinct.values(), organizationOf);
}

/**
 * What grants in one organization depend on: the users' generations, and the internal ids under which the grants on the
 * resources are stored. Reserves one for each document that does not exist yet, after `check` has resolved. ABORTED if the
 * organization is being deleted.
 */
export async function loadTargets(
  organization: OrganizationRef,
  userIds: readonly string[],
  resources: readonly Pick<ResourceName, "type" | "id">[],
  check: Promise<unknown>,
) {
  const idsOf = (wanted: ResourceName["type"]) => resources.filter(({ type }) => type === wanted).map(({ id }) => id);
  const refuse = () => Promise.all([check, refuseBeingDeleted(organization, [organization.organizationId])]);
  const [users, places, folders] = await Promise.all([
    User.getMany(organization, userIds),
    GrantPlace.reserve(organization, idsOf("document"), refuse),
    Folder.pointersById(organization, idsOf("folder")),
  ]);
  return { organization, users: new Map(userIds.map((id, index) => [id, users[index]])), places, folders };
}

/** A resource whose grants are separate items. A grant on an organization is part of the user's item. */
export interface GrantedResource {
  type: "folder" | "document";
  id: string;
}

export type Targets = Awaited<ReturnType<typeof loadTargets>>;

/** The writes of one grant on a folder or a document. A grant that waits for a migration must not follow later. */
export function resourceGrant(
  { organization, users, places, folders }: Targets,
  userId: string,
  { type, id }: GrantedResource,
  grant: Grant.Grant,
): Write[] {
  const stored = { ...grant, userId, generation: User.generationOf(users.get(userId)) };
  if (type === "folder") {
    return Grant.onFolder({ ...organization, folderUid: Folder.uidOf(id, folders.get(id)) }, stored);
  }
  const { documentUid, waitingUids } = places.get(id) as GrantPlace.GrantPlace;
  const { workspace } = organization;
  return [
    Grant.onDocument({ workspace, documentUid }, stored),
    ...waitingUids.map((uid) => Grant.documentGrantEntity.delete({ workspace, documentUid: uid, userId })),
  ];
}

/**
 * Repeats grants that were just written under a reserved internal id, if a migration has given the id to a document
 * meanwhile. `write` writes the grants on the documents of `places` again.
 */
export async function followMigrations(
  targets: Targets,
  write: (targets: Targets, documentIds: ReadonlySet<string>) => Promise<unknown>,
): Promise<void> {
  let { places } = targets;
  await retryOnConflict("documents", async () => {
    places = await GrantPlace.moved(targets.organization, places);
    if (places.size === 0) return undefined;
    await write({ ...targets, places }, new Set(places.keys()));
    return conflict;
  });
}

/**
 * Throws ABORTED if one of the users is being erased in the organization: the erasure would remove the user again. The
 * message has the id of the job. A job that has failed keeps nobody out, until an operator retries it.
 */
export async function refuseBeingErased(organization: OrganizationRef, userIds: readonly string[]): Promise<void> {
  for (const [userId, jobIds] of await BeingErased.jobsOf(organization, userIds)) {
    const jobs = await Promise.all(jobIds.map((jobId) => Jobs.get(jobId)));
    const job = jobs.find((each) => each?.state === "waiting" || each?.state === "running");
    if (!job) continue;
    throw new ApiError("ABORTED", `The user "${userId}" is being erased by job ${job.id}. Try again when it is done.`);
  }
}
