import { refuseBeingDeleted } from "../deletion/being-deleted.ts";
import { notFound } from "../errors.ts";
import * as Document from "../store/content/document.ts";
import * as Folder from "../store/content/folder.ts";
import * as Organization from "../store/content/organization.ts";
import type { DocumentRef, FolderDataRef, OrganizationRef } from "../store/refs.ts";
import { ensureOrganizations } from "./create-organizations.ts";

/** Throws NOT_FOUND if one of them is missing. */
async function requireOrganizations(workspace: string, organizationIds: readonly string[]): Promise<void> {
  const missing = await Organization.missing({ workspace }, organizationIds);
  if (missing.length > 0) throw notFound("organization");
}

/** For calls that give access: throws ABORTED if one of them is being deleted, and NOT_FOUND if one is missing. */
export async function requireAccessible(workspace: string, organizationIds: readonly string[]): Promise<void> {
  const [missing] = await Promise.all([
    Organization.missing({ workspace }, organizationIds),
    refuseBeingDeleted({ workspace }, organizationIds),
  ]);
  if (missing.length > 0) throw notFound("organization");
}

/** Throws NOT_FOUND if the organization is missing. */
export async function requireOrganization({ workspace, organizationId }: OrganizationRef): Promise<void> {
  await requireOrganizations(workspace, [organizationId]);
}

/** The folder. Throws NOT_FOUND if the organization or the folder is missing. */
export async function existingFolder(ref: Folder.FolderRef): Promise<FolderDataRef> {
  const [folder] = await Promise.all([Folder.get(ref), requireOrganization(ref)]);
  if (!folder) throw notFound("folder");
  return Folder.dataOf(ref, folder);
}

/** For calls with `createOrganization`: creates a missing organization if the flag is set, else throws NOT_FOUND. */
export async function ensureOrganization(ref: OrganizationRef, create: boolean | undefined): Promise<void> {
  if (create) await ensureOrganizations(ref, [ref.organizationId]);
  else await requireOrganization(ref);
}

/** Throws NOT_FOUND if the organization or the document is missing. The message says which. */
export async function existingDocument(ref: DocumentRef): Promise<Document.Document> {
  const [document] = await Promise.all([Document.get(ref), requireOrganization(ref)]);
  if (!document) throw notFound("document");
  return document;
}
