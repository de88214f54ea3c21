// Begins the erasure of users (DECISIONS.md#erasure-of-users).
import { noteCaused } from "../call.ts";
import { beyondLimit } from "../errors.ts";
import { commit } from "../jobs/commit.ts";
import { jobCreation, newJob } from "../jobs/job.ts";
import { sendPointers } from "../jobs/queue.ts";
import * as Jobs from "../jobs/store.ts";
import { newId } from "../new-id.ts";
import * as BeingErased from "../store/being-erased.ts";
import { sealedTask } from "./task.ts";

/** Most erasures of one user at a time. The item that lists them has at most 400 KB. */
const erasuresMax = 100;

/**
 * Stores the job that erases the users, and its entry for each of them: until it is done, none of them can be added. The
 * job adds the entries too, so they are complete if the process dies here. A repeated call with an Idempotency-Key finds
 * the job of the first one. Returns the job's id.
 */
export async function beginErasure(workspace: string, erasure: BeingErased.Erasure): Promise<string> {
  const ref = { workspace };
  if ((await BeingErased.mostJobsOf(ref, erasure.userIds)) >= erasuresMax) {
    const message = `A user has at most ${erasuresMax} erasures at a time. Try again when one of them is done.`;
    throw beyondLimit(message, 60);
  }
  const task = { erase: erasure, acceptedAt: new Date().toISOString() };
  const payload = { erase: await sealedTask(workspace, task) };
  const job = { ...newJob("purge", workspace, payload), id: newId(), shownAs: "erasure" } as const;
  // If the job is stored already, an earlier attempt of this call has stored it. One that has begun adds the entries
  // itself, and may even be done: then an entry would never be removed.
  const isNew = await commit([jobCreation(job)]);
  const stored = isNew ? job : await Jobs.get(job.id);
  if (stored?.state === "waiting" && !("pass" in stored.payload)) await BeingErased.add(ref, erasure, job.id);
  noteCaused("jobs", job.id);
  await sendPointers([job]);
  return job.id;
}
