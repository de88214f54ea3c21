// What would create something in an organization that is being deleted is refused: the deletion would remove it again.
import { ApiError } from "../errors.ts";
import { getStored, isBeingDeleted, type Organization } from "../store/content/organization-life.ts";
import type { WorkspaceRef } from "../store/refs.ts";

/** Throws ABORTED if one of the organizations is being deleted. The message has the id of the deletion's job. */
export function refuseDeletion(organizations: Iterable<Organization | undefined>): void {
  for (const organization of organizations) {
    if (!isBeingDeleted(organization)) continue;
    const { organizationId, deletionJobId } = organization;
    const message = `The organization "${organizationId}" is being deleted by job ${deletionJobId}. Try again when it is done.`;
    throw new ApiError("ABORTED", message);
  }
}

/** As `refuseDeletion`. The read shares the request of the call's other reads. */
export async function refuseBeingDeleted(ref: WorkspaceRef, organizationIds: readonly string[]): Promise<void> {
  refuseDeletion(await getStored(ref, organizationIds));
}
