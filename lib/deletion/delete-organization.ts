// Deletes an organization (DECISIONS.md#deletion-of-organizations). From the beginning of the deletion on, no call
// finds any of its data. A job deletes the data. Only then the id can be added again, because its next life uses the
// same partitions.
import { config } from "../config.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commit } from "../jobs/commit.ts";
import * as Jobs from "../jobs/store.ts";
import { newId } from "../new-id.ts";
import type { Progress } from "../schema/jobs.ts";
import { beginning, ending, rangesOf } from "../store/content/organization-deletion.ts";
import { getStored, isFound } from "../store/content/organization-life.ts";
import { type Job, newJob } from "../store/job.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { emptyRange } from "./purge.ts";

/**
 * Stores the job that deletes the organization, and returns its id; undefined if there is no organization. With an
 * Idempotency-Key, a repeated call finds the job of the first try, and deletes no later life.
 */
export async function beginDeletion({ workspace, organizationId }: OrganizationRef): Promise<string | undefined> {
  const ref = { workspace, organizationId };
  const payload = { organizationId };
  const purge = newJob("purge", workspace, payload, config.purgeStartSeconds());
  const job: Job = { ...purge, id: newId(), shownAs: "organization-deletion" };
  return retryOnConflict("organization", async () => {
    const [[organization], known] = await Promise.all([getStored(ref, [organizationId]), Jobs.get(job.id)]);
    if (known) return job.id;
    if (!isFound(organization)) return undefined;
    const isBegun = await commit(beginning(ref, organization, job.id), {
      jobs: [job],
      events: [{ type: "organization.delete", workspace, organizationId, data: { organizationId } }],
    });
    return isBegun ? job.id : conflict;
  });
}

/** Whether this job deletes the organization, and has not ended yet. */
export async function isDeleting(ref: OrganizationRef, jobId: string): Promise<boolean> {
  const [organization] = await getStored(ref, [ref.organizationId]);
  return organization?.deletionJobId === jobId;
}

/**
 * One run of a pass over the lists, from the list `done` on. `rest`: the list where the next run continues, when the
 * time ended first.
 */
export async function deleteLists(
  organization: OrganizationRef,
  done: number,
  until: number,
): Promise<{ found: boolean; rest?: number; progress: Progress }> {
  const ranges = rangesOf(organization);
  const total = ranges.length;
  let found = false;
  for (const [index, range] of ranges.entries()) {
    if (index < done) continue;
    const emptied = await emptyRange(organization, range, until);
    found ||= emptied.found;
    if (!emptied.isDone) return { found, rest: index, progress: { done: index, total } };
    const isLate = index + 1 < total && Date.now() > until;
    if (isLate) return { found, rest: index + 1, progress: { done: index + 1, total } };
  }
  return { found, progress: { done: total, total } };
}

/** Frees the organization's id. */
export async function endDeletion(organization: OrganizationRef, jobId: string): Promise<void> {
  await commit(ending(organization, jobId));
}
