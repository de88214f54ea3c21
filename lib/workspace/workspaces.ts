import { newKeyPair } from "../access/signing-keys.ts";
import { workspacePurgeJob } from "../deletion/purge-job.ts";
import { commit } from "../jobs/commit.ts";
import * as SigningKey from "../store/access/signing-key.ts";
import { tokenKeys } from "../store/access/signing-key.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Workspace from "../store/workspace.ts";

/** Creates a workspace with its signing key, so that its public keys are listed from then on. Returns its API key. */
export async function createWorkspace({ name }: { name: string }): Promise<{ apiKey: string }> {
  const apiKey = Workspace.newApiKey();
  const keys = tokenKeys(apiKey);
  return Workspace.create({ name, apiKey }, SigningKey.creating(keys, await newKeyPair(keys)));
}

/**
 * Deletes a workspace: its calls are refused, and a job deletes its data. Returns the job's id; undefined: there is no
 * such workspace.
 */
export async function removeWorkspace(ref: WorkspaceRef): Promise<string | undefined> {
  const job = workspacePurgeJob(ref.workspace);
  return (await commit(Workspace.removing(ref), { jobs: [job] })) ? job.id : undefined;
}
