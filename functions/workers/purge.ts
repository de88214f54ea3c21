import { runFolderDeletion } from "../../lib/content/delete-folders.ts";
import { deleteLists, endDeletion, isDeleting } from "../../lib/deletion/delete-organization.ts";
import { purgeFolder, purgeUser } from "../../lib/deletion/former-lives.ts";
import { deleteJobs, emptyPartition } from "../../lib/deletion/purge.ts";
import type { DeletedFolder, EndedUserLife } from "../../lib/deletion/purge-job.ts";
import type { Key } from "../../lib/dynamodb/key.ts";
import * as Table from "../../lib/dynamodb/table.ts";
import { runErasure } from "../../lib/erasure/run.ts";
import type { ListCursor } from "../../lib/jobs/list.ts";
import { secondPass } from "../../lib/jobs/worker.ts";
import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";
import type { Progress } from "../../lib/schema/jobs.ts";
import * as Blob from "../../lib/store/blob.ts";
import type { Job } from "../../lib/store/job.ts";

/**
 * It has one of: `partitions`; `folders` and `users` whose lives have ended; `organizationId`. `withJobs`: also the
 * jobs and files of a deleted workspace. The other fields are progress.
 */
interface Payload extends Record<string, unknown> {
  partitions?: string[];
  folders?: DeletedFolder[];
  users?: EndedUserLife[];
  withJobs?: boolean;
  /** While this item exists, nothing is deleted: the partitions belong to a later life. */
  unless?: Key;
  /** The organization that the job deletes. */
  organizationId?: string;
  /** Where this pass continues: in the list of jobs, and in the lists of the payload or of an organization. */
  jobsFrom?: ListCursor;
  done?: number;
  /** Whether earlier runs of this pass found anything. */
  found?: boolean;
  isSecondPass?: true;
  progress?: Progress;
}

/**
 * The result of one run of a pass. `rest`: the payload of the next run, when the time ended first. `isOver`: the job has
 * nothing left to do.
 */
type Pass = { found: boolean; rest?: Payload; report?: { progress: Progress }; isOver?: boolean };

export const purge = worker({
  name: "purge",
  jobs: "purge",
  summary:
    "Removes the data of deleted documents, folders, locations, user groups, organizations, workspaces and users, and data that in-flight calls wrote meanwhile.",
  grants: [
    ...(["table:read", "table:due", "table:write", "table:delete", "table:batch", "file:list", "file:delete"] as const),
    ...(["key:seal:erasure-task", "key:unseal:erasure-task"] as const),
    ...(["key:seal:records-key", "key:unseal:records-key", "queue:fanout", "live:publish"] as const),
  ],

  async run(job, until) {
    if (job.payload.erase) return runErasure(job, until);
    if (job.payload.folder) return runFolderDeletion(job, until);
    const payload = job.payload as Payload;
    const { found, rest, report, isOver } = await runPass(job, payload, until);
    if (isOver) return "done";
    if (rest) return { again: { payload: rest, delaySeconds: 0 } };
    if (payload.isSecondPass && !found) {
      if (payload.organizationId !== undefined)
        await endDeletion({ ...job, organizationId: payload.organizationId }, job.id);
      return report ? { done: report } : "done";
    }
    const { found: _found, done: _done, jobsFrom: _jobsFrom, ...task } = payload;
    // Calls that read a pointer before its deletion can still write under the internal id.
    return secondPass({ ...task, ...report });
  },
});
export const handler = queueLambda(purge);

async function runPass(job: Job, payload: Payload, until: number): Promise<Pass> {
  const { organizationId } = payload;
  if (organizationId === undefined) return emptyPartitions(job, payload, until);
  return deleteOrganization(job, { ...payload, organizationId }, until);
}

/** One run of a pass. When it stops early, the next run continues the pass there. */
async function emptyPartitions(job: Job, payload: Payload, until: number): Promise<Pass> {
  const { partitions = [], folders = [], users = [], done = 0, jobsFrom } = payload;
  if (payload.unless && (await Table.get(payload.unless))) return { found: false };
  let found = payload.found === true;
  if (payload.withJobs && done === 0) {
    const jobs = await deleteJobs(job, jobsFrom, until);
    const files = await Blob.removeAll(job, until);
    found ||= jobs.found || files.found;
    if (jobs.next) return { found, rest: { ...payload, found, jobsFrom: jobs.next } };
    if (!files.isDone) return { found, rest: { ...payload, found } };
  }
  const { workspace } = job;
  const steps = [
    ...partitions.map((pk) => () => emptyPartition(job, pk, until)),
    ...folders.map((folder) => () => purgeFolder({ workspace, ...folder }, until)),
    ...users.map((life) => () => purgeUser({ workspace, ...life }, until)),
  ];
  for (const [index, step] of steps.entries()) {
    if (index < done) continue;
    const emptied = await step();
    found ||= emptied.found;
    if (!emptied.isDone) return { found, rest: { ...payload, found, done: index } };
    if (index + 1 < steps.length && Date.now() > until) return { found, rest: { ...payload, found, done: index + 1 } };
  }
  return { found };
}

/** One run of a pass. When it has found something, the next run counts as a new pass. */
async function deleteOrganization(
  job: Job,
  payload: Payload & { organizationId: string },
  until: number,
): Promise<Pass> {
  const { isSecondPass, ...task } = payload;
  const organization = { workspace: job.workspace, organizationId: payload.organizationId };
  // The job has ended already: its process died before this was recorded. The id can have been added again.
  if (!(await isDeleting(organization, job.id))) return { found: false, isOver: true };
  const { rest, progress, ...pass } = await deleteLists(organization, payload.done ?? 0, until);
  const found = pass.found || payload.found === true;
  // Further passes usually find nothing, so they show no other progress.
  const report = { progress: (isSecondPass && payload.progress) || progress };
  if (rest === undefined) return { found, report };
  return { found, rest: { ...task, ...(isSecondPass && { isSecondPass }), done: rest, found, ...report } };
}
