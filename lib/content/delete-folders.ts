// Deletes folders (DECISIONS.md#deletion-of-folders). The call marks each folder and writes a job for it. After that,
// nothing can be added to the folder or below it. The job starts when all earlier calls have ended. It deletes the
// deepest folders first. The condition of each step is that nothing has changed since it was read. So a run can stop
// anywhere, and the next run starts again at the folder.
import { inParallel } from "../concurrency.ts";
import { config } from "../config.ts";
import { type DeletedFolder, folderPurgeJob } from "../deletion/purge-job.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commit, commitEach } from "../jobs/commit.ts";
import * as Jobs from "../jobs/store.ts";
import type { RunResult } from "../jobs/worker.ts";
import { newId } from "../new-id.ts";
import * as Document from "../store/content/document.ts";
import * as Folder from "../store/content/folder.ts";
import { firstChildren, parentOf } from "../store/content/folder-child.ts";
import { type Job, newJob } from "../store/job.ts";
import type { FolderDataRef, OrganizationRef } from "../store/refs.ts";
import { deleteDocuments } from "./delete-documents.ts";
import { requireOrganization } from "./existing.ts";

export type DeletionResult =
  | { outcome: "begun" | "being-deleted"; jobId: string }
  | { outcome: "missing" | "not-empty"; jobId?: undefined };

const queriesInFlight = 16;

/**
 * Marks distinct folders. Without `isRecursive`, it marks only empty folders. With an Idempotency-Key, a repeated call
 * finds the jobs of the first try, and deletes no later folder of the same id.
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

/** The job starts when all calls that have not seen the mark have ended. */
function deletionJob(organization: OrganizationRef, folder: Folder.Folder, isRecursive: boolean, id: string): Job {
  const { workspace, ...data } = Folder.dataOf(organization, folder);
  const deletion: FolderDeletion = { ...data, folderId: folder.folderId, isRecursive };
  const job = newJob("purge", workspace, { folder: deletion }, config.purgeStartSeconds());
  return { ...job, id, shownAs: "folder-deletion" };
}

/** The folder that a job deletes. */
interface FolderDeletion extends DeletedFolder {
  folderId: string;
  isRecursive: boolean;
}

/** Children that are read together. */
const childrenMax = 100;
/** Most reads in a row that find only entries of children that are no longer in the folder. */
const idleMax = 20;

/** One run of the job. It reports how many documents and folders it has deleted so far. */
export async function runFolderDeletion(job: Job, until: number): Promise<RunResult> {
  const { workspace, payload } = job;
  const { organizationId, folderId, folderUid, isRecursive } = payload.folder as FolderDeletion;
  const organization = { workspace, organizationId };
  let done = payload.progress?.done ?? 0;
  const report = () => ({ progress: { done } });
  const top = await Folder.get({ ...organization, folderId });
  // An earlier run has deleted the folder, but did not record that.
  if (!top || Folder.uidOf(folderId, top) !== folderUid) return { done: report() };
  const isMarked = top.deletionJobId === job.id;
  if (!isMarked || (!isRecursive && (await isFull(organization, top)))) {
    if (isMarked) await unmark(organization, top, job.id);
    return { done: { ...report(), failure: "Something was added to the folder." } };
  }
  const path = [top];
  for (let folder = path.at(-1), idle = 0; folder; folder = path.at(-1)) {
    const step = await nextStep(organization, folder);
    done += step.deleted;
    if (step.below) path.push(step.below);
    if (step.isGone) path.pop();
    idle = step.deleted > 0 || step.below || step.isGone ? 0 : idle + 1;
    if (idle > idleMax) throw new Error("The entries of a folder lead to no children.");
    // The next run goes down from the top again. So each run deletes something first, however little time it has.
    const isLate = step.deleted > 0 && Date.now() > until;
    if (isLate && path.length > 0) return { again: { payload: { ...payload, ...report() }, delaySeconds: 0 } };
  }
  return { done: report() };
}

/** Whether the folder has a document or folder in it. */
async function isFull(organization: OrganizationRef, folder: Folder.Folder): Promise<boolean> {
  return (await firstChildren(Folder.dataOf(organization, folder), 1)).length > 0;
}

/** `below`: a folder in this one, which is deleted first. `isGone`: the folder itself does not exist any more. */
interface Step {
  deleted: number;
  below?: Folder.Folder;
  isGone?: true;
}

/** Deletes documents of the folder, finds a folder in it, or deletes the folder itself. */
async function nextStep(organization: OrganizationRef, folder: Folder.Folder): Promise<Step> {
  const data = Folder.dataOf(organization, folder);
  const children = await firstChildren(data, childrenMax);
  if (children.length === 0) return deleteEmpty(organization, data, folder.folderId);
  const isIn = (child: Document.Document | Folder.Folder | undefined) =>
    child !== undefined && parentOf(child) === data.folderUid;
  const idsOf = (kind: "document" | "folder") =>
    children.filter((child) => child.kind === kind).map(({ childId }) => childId);
  const documents = await Document.getMany(organization, idsOf("document"));
  const own = documents.filter((each) => each !== undefined).filter(isIn);
  if (own.length > 0) return { deleted: (await deleteDocuments(organization, own, isIn)).size };
  const [below] = (await Folder.getMany(organization, idsOf("folder").slice(0, 1))).filter(isIn);
  return { deleted: 0, ...(below && { below }) };
}

async function deleteEmpty(organization: OrganizationRef, data: FolderDataRef, folderId: string): Promise<Step> {
  const { workspace, organizationId, folderUid } = data;
  return retryOnConflict<Step>("folder", async () => {
    const folder = await Folder.get({ ...organization, folderId });
    if (!folder || Folder.uidOf(folderId, folder) !== folderUid) return { deleted: 0, isGone: true };
    const isDeleted = await commit(Folder.removal(organization, folder), {
      jobs: [folderPurgeJob(workspace, [{ organizationId, folderId, folderUid }])],
      events: [{ type: "folder.delete", workspace, organizationId, data: { folderId } }],
    });
    return isDeleted ? { deleted: 1, isGone: true } : conflict;
  });
}

/** Lets things be added to the folder again. */
async function unmark(organization: OrganizationRef, top: Folder.Folder, jobId: string): Promise<void> {
  await retryOnConflict("folder", async () => {
    const folder = await Folder.get({ ...organization, folderId: top.folderId });
    if (folder?.deletionJobId !== jobId) return undefined;
    const { deletionJobId: _, ...unmarked } = folder;
    return (await commit([Folder.change(organization, folder, unmarked)])) ? undefined : conflict;
  });
}
