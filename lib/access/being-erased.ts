// A user who is being erased cannot be added or given access: the erasure would remove it again.
import { ApiError } from "../errors.ts";
import * as BeingErased from "../store/being-erased.ts";
import type { OrganizationRef } from "../store/refs.ts";

/** Throws ABORTED if one of the users is being erased in the organization. The message has the id of the job. */
export async function refuseBeingErased(organization: OrganizationRef, userIds: readonly string[]): Promise<void> {
  const [first] = await BeingErased.jobsOf(organization, userIds);
  if (!first) return;
  const [userId, jobId] = first;
  throw new ApiError("ABORTED", `The user "${userId}" is being erased by job ${jobId}. Try again when it is done.`);
}
