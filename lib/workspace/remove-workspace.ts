import { workspacePurgeJob } from "../deletion/purge-job.ts";
import { commit } from "../jobs/commit.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Workspace from "../store/workspace.ts";

/**
 * Deletes a workspace: its calls are refused, and a job deletes its data. Returns the job's id; undefined: there is no
 * such workspace.
 */
export async function removeWorkspace(ref: WorkspaceRef): Promise<string | undefined> {
  const job = workspacePurgeJob(ref.workspace);
  return (await commit(Workspace.removing(ref), { jobs: [job] })) ? job.id : undefined;
}
