// A user who is being erased cannot be added or given access: the erasure would remove it again.
import { ApiError } from "../errors.ts";
import * as Jobs from "../jobs/store.ts";
import * as BeingErased from "../store/erasure/being-erased.ts";
import type { OrganizationRef } from "../store/refs.ts";

/**
 * Throws ABORTED if one of the users is being erased in the organization. The message has the id of the job. A job that
 * has failed keeps nobody out, until an operator retries it.
 */
export async function refuseBeingErased(organization: OrganizationRef, userIds: readonly string[]): Promise<void> {
  for (const [userId, jobIds] of await BeingErased.jobsOf(organization, userIds)) {
    const jobs = await Promise.all(jobIds.map((jobId) => Jobs.get(jobId)));
    const job = jobs.find((each) => each?.state === "waiting" || each?.state === "running");
    if (!job) continue;
    throw new ApiError("ABORTED", `The user "${userId}" is being erased by job ${job.id}. Try again when it is done.`);
  }
}
