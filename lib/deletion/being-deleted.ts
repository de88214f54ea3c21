// Refuses calls that would create something in an organization that is being deleted: the deletion would remove it
// again. Also refuses calls that would add a user who is being erased.
import { ApiError } from "../errors.ts";
import * as Jobs from "../jobs/store.ts";
import { getStored, isBeingDeleted, type Organization } from "../store/content/organization-life.ts";
import * as BeingErased from "../store/erasure/being-erased.ts";
import type { OrganizationRef, WorkspaceRef } from "../store/refs.ts";

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

/**
 * Throws ABORTED if one of the users is being erased in the organization; without an organization, in all. The message
 * has the id of the job. A failed job refuses nobody, until an operator retries it.
 */
export async function refuseBeingErased(
  organization: WorkspaceRef & Partial<OrganizationRef>,
  userIds: readonly string[],
): Promise<void> {
  for (const [userId, jobIds] of await BeingErased.jobsOf(organization, userIds)) {
    const jobs = await Promise.all(jobIds.map((jobId) => Jobs.get(jobId)));
    const job = jobs.find((each) => each?.state === "waiting" || each?.state === "running");
    if (!job) continue;
    throw new ApiError("ABORTED", `The user "${userId}" is being erased by job ${job.id}. Try again when it is done.`);
  }
}
