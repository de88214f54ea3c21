import { notFound } from "../errors.ts";
import * as Folder from "../store/folder.ts";
import * as Organization from "../store/organization.ts";
import type { OrganizationRef } from "../store/refs.ts";

/** Throws NOT_FOUND if one of them is missing. */
export async function requireOrganizations(workspace: string, organizationIds: readonly string[]): Promise<void> {
  const missing = await Organization.missing({ workspace }, organizationIds);
  if (missing.length > 0) throw notFound("organization");
}

/** Throws NOT_FOUND if the organization is missing. */
export async function requireOrganization({ workspace, organizationId }: OrganizationRef): Promise<void> {
  await requireOrganizations(workspace, [organizationId]);
}

/** Throws NOT_FOUND if the organization is missing, or the folder in it; `folderId` undefined: its root. */
export async function requireFolder(organization: OrganizationRef, folderId: string | undefined): Promise<void> {
  const [, folder] = await Promise.all([
    requireOrganization(organization),
    folderId === undefined ? undefined : Folder.get({ ...organization, folderId }),
  ]);
  if (folderId !== undefined && !folder) throw notFound("folder");
}

/** For calls with `createOrganization`: creates a missing organization if the flag is set, else throws NOT_FOUND. */
export async function ensureOrganization(ref: OrganizationRef, create: boolean | undefined): Promise<void> {
  if (create) await Organization.ensureAll(ref, [ref.organizationId]);
  else await requireOrganization(ref);
}
