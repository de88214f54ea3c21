// Creates organizations that calls name (DECISIONS.md#deletion-of-organizations).
import { refuseDeletion } from "../deletion/being-deleted.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Organization from "../store/content/organization.ts";
import { getStored } from "../store/content/organization-life.ts";
import type { WorkspaceRef } from "../store/refs.ts";

type New = Organization.NewOrganization;

const idsOf = (organizations: readonly New[]) => organizations.map(({ organizationId }) => organizationId);

/** Creates the missing ones. Returns for each whether this call created it. One that is being deleted is not created. */
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

/** Creates the missing ones. Returns for each whether this call created it. ABORTED if one is being deleted. */
export async function createOrganizations(ref: WorkspaceRef, organizations: readonly New[]): Promise<boolean[]> {
  const created = await createMissing(ref, organizations);
  const others = organizations.filter((_, index) => !created[index]);
  if (others.length > 0) refuseDeletion(await getStored(ref, idsOf(others)));
  return created;
}

/** As `createOrganizations`, but reads them first. So it creates none if one is being deleted. */
export async function createUnlessDeleted(ref: WorkspaceRef, organizations: readonly New[]): Promise<boolean[]> {
  const stored = await getStored(ref, idsOf(organizations));
  refuseDeletion(stored);
  const created = new Set<New>();
  const missing = organizations.filter((_, index) => !stored[index]);
  const isCreated = missing.length > 0 ? await createOrganizations(ref, missing) : [];
  for (const [index, organization] of missing.entries()) if (isCreated[index]) created.add(organization);
  return organizations.map((organization) => created.has(organization));
}

/** Creates the missing organizations. Usually none is missing, and a read costs a quarter of a failed write. */
export async function ensureOrganizations(ref: WorkspaceRef, organizationIds: readonly string[]): Promise<void> {
  await createUnlessDeleted(
    ref,
    organizationIds.map((organizationId) => ({ organizationId })),
  );
}
