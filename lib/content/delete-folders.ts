// Marks folders for their deletion, each with a job of its own.
import { inParallel } from "../concurrency.ts";
import { config } from "../config.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Jobs from "../jobs/store.ts";
import { newId } from "../new-id.ts";
import * as Folder from "../store/content/folder.ts";
import { type Job, newJob } from "../store/job.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { type FolderDeletion, isFull } from "./delete-folder.ts";
import { requireOrganization } from "./require-organization.ts";

export type DeletionResult =
  | { outcome: "begun" | "being-deleted"; jobId: string }
  | { outcome: "missing" | "not-empty"; jobId?: undefined };

const queriesInFlight = 16;

/**
 * Marks distinct folders. Without `isRecursive`, only empty ones. With an Idempotency-Key, a repeat finds the jobs of the
 * first try, and deletes no later folder of the same id.
 */
export async function deleteFolders(
  organization: OrganizationRef,
  folderIds: readonly string[],
  isRecursive: boolean,
): Promise<Map<string, DeletionResult>> {
  const jobIds = new Map(folderIds.map((id) => [id, newId()]));
  const results = new Map<string, DeletionResult>();
  return retryOnConflict("folders", async () => {
    const rest = folderIds.filter((id) => !results.has(id));
    const [folders, known] = await Promise.all([
      Folder.getMany(organization, rest),
      Promise.all(rest.map((id) => Jobs.get(jobIds.get(id) as string))),
      requireOrganization(organization),
    ]);
    const due: Folder.Folder[] = [];
    await inParallel([...rest.keys()], queriesInFlight, async (index) => {
      const [folderId, folder, job] = [rest[index] as string, folders[index], known[index]];
      if (job) results.set(folderId, { outcome: "begun", jobId: job.id });
      else if (!folder) results.set(folderId, { outcome: "missing" });
      else if (folder.deletionJobId) results.set(folderId, { outcome: "being-deleted", jobId: folder.deletionJobId });
      else if (!isRecursive && (await isFull(organization, folder))) results.set(folderId, { outcome: "not-empty" });
      else due.push(folder);
    });
    const units = due.map((folder) => {
      const jobId = jobIds.get(folder.folderId) as string;
      const marked = { ...folder, deletionJobId: jobId };
      return { folder, jobId, writes: [Folder.change(organization, folder, marked)] };
    });
    const written = await commitEach(units, (group) => ({
      jobs: group.map(({ folder, jobId }) => deletionJob(organization, folder, isRecursive, jobId)),
    }));
    for (const [index, { folder, jobId }] of units.entries()) {
      if (written[index]) results.set(folder.folderId, { outcome: "begun", jobId });
    }
    return results.size === folderIds.length ? results : conflict;
  });
}

/** It starts when calls that have not seen the mark have ended. */
function deletionJob(organization: OrganizationRef, folder: Folder.Folder, isRecursive: boolean, id: string): Job {
  const { workspace, ...data } = Folder.dataOf(organization, folder);
  const deletion: FolderDeletion = { ...data, folderId: folder.folderId, isRecursive };
  const job = newJob("purge", workspace, { folder: deletion }, config.purgeStartSeconds());
  return { ...job, id, shownAs: "folder-deletion" };
}
