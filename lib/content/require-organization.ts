import { ApiError } from "../errors.ts";
import * as Organization from "../store/organization.ts";
import type { OrganizationRef } from "../store/refs.ts";

/** NOT_FOUND when one of them is missing. */
export async function requireOrganizations(workspace: string, organizationIds: readonly string[]): Promise<void> {
  const missing = await Organization.missing({ workspace }, organizationIds);
  if (missing.length > 0) throw new ApiError("NOT_FOUND", "The organization does not exist.");
}

/** NOT_FOUND when the organization is missing. */
export async function requireOrganization({ workspace, organizationId }: OrganizationRef): Promise<void> {
  await requireOrganizations(workspace, [organizationId]);
}

/**
 * The rule of calls with `createOrganization`: a missing organization is created where the call asks for it, else
 * NOT_FOUND.
 */
export async function ensureOrganization(ref: OrganizationRef, create: boolean | undefined): Promise<void> {
  if (create) await Organization.ensureAll(ref, [ref.organizationId]);
  else await requireOrganization(ref);
}
