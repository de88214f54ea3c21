// Begins the erasure of users (DECISIONS.md#erasure-of-users).
import { hash } from "node:crypto";
import { noteCaused } from "../call.ts";
import { beyondLimit } from "../errors.ts";
import { commit } from "../jobs/commit.ts";
import { sendPointers } from "../jobs/queue.ts";
import * as Jobs from "../jobs/store.ts";
import { newId } from "../new-id.ts";
import * as BeingErased from "../store/erasure/being-erased.ts";
import { type Job, jobCreation, newJob } from "../store/job.ts";
import { sealedTask } from "./context.ts";

/** Most erasures of one user at a time. The item that lists them has at most 400 KB. */
const erasuresMax = 100;

/**
 * Stores the job that erases the users, with an entry for each user: no user with an entry can be added. The job adds
 * the entries too, so they are complete if the process dies here. Returns the id of the job. If an earlier job for the
 * same users and the same organization has read nothing yet, it returns that job. A job that has begun to read can have
 * passed data that was written since. A repeated call with an Idempotency-Key finds the job of the first call.
 */
export async function beginErasure(workspace: string, erasure: BeingErased.Erasure): Promise<string> {
  const ref = { workspace };
  const jobs = await BeingErased.allJobsOf(ref, erasure.userIds);
  const identity = identityOf(workspace, erasure);
  const repeated = await unbegun(jobs[0] ?? [], identity);
  if (repeated !== undefined) return repeated;
  if (jobs.some(({ length }) => length >= erasuresMax)) {
    const message = `A user has at most ${erasuresMax} erasures at a time. Try again when one of them is done.`;
    throw beyondLimit(message, 60);
  }
  const task = { erase: erasure, acceptedAt: new Date().toISOString() };
  const payload = { erase: await sealedTask(workspace, task), identity };
  const job = { ...newJob("purge", workspace, payload), id: newId(), shownAs: "erasure" } as const;
  // If the job is stored already, an earlier attempt of this call has stored it. A job that has begun adds the entries
  // itself. It may even be done: then an entry would never be removed.
  const isNew = await commit([jobCreation(job)]);
  const stored = isNew ? job : await Jobs.get(job.id);
  if (stored?.state === "waiting" && !("pass" in stored.payload)) await BeingErased.add(ref, erasure, job.id);
  noteCaused("jobs", job.id);
  await sendPointers([job]);
  return job.id;
}

/** The first of these jobs that erases exactly the same, and has read nothing yet. */
async function unbegun(jobIds: readonly string[], identity: string): Promise<string | undefined> {
  const jobs = await Promise.all(jobIds.map((jobId) => Jobs.get(jobId)));
  return jobs.find((job) => job && isUnbegun(job) && job.payload.identity === identity)?.id;
}

/** The first run reads no content. The next run begins to read. */
const isUnbegun = ({ state, payload }: Job) => state === "waiting" || (state === "running" && !("pass" in payload));

/** Identifies the users and the organization of an erasure, without naming them. */
function identityOf(workspace: string, { userIds, organizationId }: BeingErased.Erasure): string {
  return hash("sha256", JSON.stringify([workspace, organizationId ?? null, ...userIds.toSorted()]), "base64url");
}
