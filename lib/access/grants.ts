// Turns the resources of a request into writes of grants.

import type { Write } from "../dynamodb/write.ts";
import type { AccessContext, ResourceGrant, ResourceName } from "../schema/access.ts";
import * as Document from "../store/document.ts";
import * as Grant from "../store/grant.ts";
import type { DocumentUid, OrganizationRef } from "../store/refs.ts";
import * as User from "../store/user.ts";

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

export const organizationOf = (resource: ResourceName) =>
  resource.type === "organization" ? resource.id : (resource.organizationId as string);

/** Groups the resources by organization. Of repeated resources, the last one counts. */
export function byOrganization<R extends ResourceName>(resources: readonly R[]): Map<string, R[]> {
  const distinct = new Map(resources.map((each) => [JSON.stringify([each.type, each.id, organizationOf(each)]), each]));
  return Map.groupBy(distinct.values(), organizationOf);
}

/**
 * What grants in one organization depend on: the users' generations and the documents' internal ids. Reserves an
 * internal id for each document that does not exist yet.
 */
export async function loadTargets(
  organization: OrganizationRef,
  userIds: readonly string[],
  documentIds: readonly string[],
) {
  const [users, documentUids] = await Promise.all([
    User.getMany(organization, userIds),
    Document.reservedUids(organization, documentIds),
  ]);
  return { organization, users: new Map(userIds.map((id, index) => [id, users[index]])), documentUids };
}

/** A resource whose grants are separate items. A grant on an organization is part of the user's item. */
export interface GrantedResource {
  type: "folder" | "document";
  id: string;
}

export type Targets = Awaited<ReturnType<typeof loadTargets>>;

/** The write of one grant on a folder or a document. */
export function resourceGrant(targets: Targets, userId: string, resource: GrantedResource, grant: Grant.Grant): Write {
  const stored = { ...grant, userId, generation: User.generationOf(targets.users.get(userId)) };
  if (resource.type === "folder") return Grant.onFolder({ ...targets.organization, folderId: resource.id }, stored);
  return Grant.onDocument(documentDataRef(targets, resource.id), stored);
}

/** The users' grants on one folder or document, in the order of `userIds`. */
export async function grantsOn(targets: Targets, { type, id }: GrantedResource, userIds: readonly string[]) {
  if (type === "folder") return Grant.listOnFolder({ ...targets.organization, folderId: id }, userIds);
  return Grant.listOnDocument(documentDataRef(targets, id), userIds);
}

function documentDataRef({ organization, documentUids }: Targets, documentId: string) {
  return { workspace: organization.workspace, documentUid: documentUids.get(documentId) as DocumentUid };
}
