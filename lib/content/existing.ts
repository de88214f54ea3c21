// The organizations, folders and documents of a call must exist, or are created. Nothing is created in an organization
// or a folder that is being deleted (DECISIONS.md#deletion-of-organizations, #deletion-of-folders).
import { refuseBeingDeleted, refuseDeletion } from "../deletion/being-deleted.ts";
import { noOrganization, notFound } from "../errors.ts";
import { commitEach } from "../jobs/commit.ts";
import type { Ancestor } from "../store/content/ancestors.ts";
import * as Document from "../store/content/document.ts";
import * as Folder from "../store/content/folder.ts";
import * as Organization from "../store/content/organization.ts";
import { getStored } from "../store/content/organization-life.ts";
import type { DocumentRef, FolderDataRef, OrganizationRef, WorkspaceRef } from "../store/refs.ts";

/** The organization. Throws INVALID_ARGUMENT if it is missing. */
export async function requireOrganization({ workspace, organizationId }: OrganizationRef) {
  const [organization] = await Organization.getMany({ workspace }, [organizationId]);
  if (!organization) throw noOrganization();
  return organization;
}

/**
 * For calls that give access: throws ABORTED if an organization is being deleted, and INVALID_ARGUMENT if one is missing.
 * `pathOf`: the field that names the organization.
 */
export async function requireAccessible(
  workspace: string,
  organizationIds: readonly string[],
  pathOf: (organizationId: string) => string[],
): Promise<void> {
  const [[missing]] = await Promise.all([
    Organization.missing({ workspace }, organizationIds),
    refuseBeingDeleted({ workspace }, organizationIds),
  ]);
  if (missing !== undefined) throw noOrganization(pathOf(missing));
}

/**
 * For calls with `createOrganization`: creates a missing organization if the flag is set, else throws INVALID_ARGUMENT.
 * Usually none is missing, and a read costs a quarter of a failed write.
 */
export async function ensureOrganization(ref: OrganizationRef, create: boolean | undefined): Promise<void> {
  if (create) await createUnlessDeleted(ref, [{ organizationId: ref.organizationId }]);
  else await requireOrganization(ref);
}

type New = Organization.NewOrganization;

const idsOf = (organizations: readonly New[]) => organizations.map(({ organizationId }) => organizationId);

/** Creates missing organizations, except those that are being deleted. Returns for each whether it was created. */
export async function createMissing({ workspace }: WorkspaceRef, organizations: readonly New[]): Promise<boolean[]> {
  return commitEach(Organization.creating({ workspace }, organizations), (written) => ({
    events: written.map(({ organizationId }) => ({
      type: "organization.add",
      workspace,
      organizationId,
      data: { organizationId },
    })),
  }));
}

/** Creates missing organizations. Returns for each whether this call created it. ABORTED if one is being deleted. */
export async function createOrganizations(ref: WorkspaceRef, organizations: readonly New[]): Promise<boolean[]> {
  const created = await createMissing(ref, organizations);
  const others = organizations.filter((_, index) => !created[index]);
  if (others.length > 0) refuseDeletion(await getStored(ref, idsOf(others)));
  return created;
}

/** As `createOrganizations`, but reads the organizations first. So it creates none if one is being deleted. */
export async function createUnlessDeleted(ref: WorkspaceRef, organizations: readonly New[]): Promise<boolean[]> {
  const stored = await getStored(ref, idsOf(organizations));
  refuseDeletion(stored);
  const created = new Set<New>();
  const missing = organizations.filter((_, index) => !stored[index]);
  const isCreated = missing.length > 0 ? await createOrganizations(ref, missing) : [];
  for (const [index, organization] of missing.entries()) if (isCreated[index]) created.add(organization);
  return organizations.map((organization) => created.has(organization));
}

/** The folder. Throws NOT_FOUND if it is missing, and INVALID_ARGUMENT if the organization is. */
export async function existingFolder(ref: Folder.FolderRef): Promise<FolderDataRef> {
  const [folder] = await Promise.all([Folder.get(ref), requireOrganization(ref)]);
  if (!folder) throw notFound("folder");
  return Folder.dataOf(ref, folder);
}

/** The document. Throws NOT_FOUND if it is missing, and INVALID_ARGUMENT if the organization is. */
export async function existingDocument(ref: DocumentRef): Promise<Document.Document> {
  const [document] = await Promise.all([Document.get(ref), requireOrganization(ref)]);
  if (!document) throw notFound("document");
  return document;
}

/**
 * Reads these folders, except those that are `known`. Returns whether one of the folders of a path is being deleted, or
 * was deleted since it was read.
 */
export async function goingFolders(
  organization: OrganizationRef,
  ancestors: readonly Ancestor[],
  known: readonly Folder.Folder[] = [],
): Promise<(path: readonly Ancestor[]) => boolean> {
  const read = new Map(known.map((folder) => [Folder.uidOf(folder.folderId, folder), folder]));
  const above = await Folder.ofAncestors(
    organization,
    ancestors.filter(({ folderUid }) => !read.has(folderUid)),
  );
  const folders = new Map([...above, ...read]);
  return (path) =>
    path.some(({ folderUid }) => folders.get(folderUid)?.deletionJobId !== undefined || !folders.has(folderUid));
}

/** Where the children of a folder are: the folders above them, or why there can be none. */
export type Placement = Ancestor[] | "folder-not-found" | "being-deleted";

/** The results by folder id. It takes two rounds of reads for any number of folders. */
export async function placements(
  organization: OrganizationRef,
  folderIds: readonly string[],
): Promise<Map<string, Placement>> {
  const found = await Folder.getMany(organization, folderIds);
  const existing = found.filter((folder) => folder !== undefined);
  const paths = existing.map((folder) => Folder.pathOf(folder));
  const isGoing = await goingFolders(organization, paths.flat(), existing);
  const placed = new Map<string, Placement>(folderIds.map((id) => [id, "folder-not-found"]));
  for (const [index, { folderId }] of existing.entries()) {
    const path = paths[index] as Ancestor[];
    placed.set(folderId, isGoing(path) ? "being-deleted" : path);
  }
  return placed;
}
