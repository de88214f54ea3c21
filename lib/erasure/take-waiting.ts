// A workspace has one erasure at a time. It takes the erasures of the same scope that wait, and reads the content once
// for all of them. The others only wait: each ends when it finds its receipt. If the erasure that took them fails, the
// next erasure takes the rest.
import { config } from "../config.ts";
import { commit } from "../jobs/commit.ts";
import * as Jobs from "../jobs/store.ts";
import * as BeingErased from "../store/erasure/being-erased.ts";
import * as Receipt from "../store/erasure/receipt.ts";
import { type Job, jobEntity } from "../store/job.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { type Taken, type Task, taskOf } from "./context.ts";

/** Of all that one erasure takes, as JSON. Its job has at most 400 KB. */
const takenCharactersMax = 60_000;

/**
 * Takes the erasures that wait. It first removes the identity of each, so a later call for the same users begins
 * another erasure.
 */
export async function takeWaiting(ref: WorkspaceRef, jobId: string, { erase }: Task): Promise<Taken[]> {
  const taken: Taken[] = [];
  const acceptedUntil = Date.now() - config.purgeStartSeconds() * 1_000;
  for (const id of await BeingErased.waitingJobs(ref, erase.organizationId)) {
    const job = id === jobId ? undefined : await Jobs.get(id);
    if (!job || !isTakeable(job)) continue;
    const { state, leaseId, dueAt, attempts } = job;
    const { identity: _, ...payload } = job.payload;
    const { erase, acceptedAt } = await taskOf(ref.workspace, String(payload.erase));
    // Calls that were in flight when it was accepted can still write what it must erase.
    if (Date.parse(acceptedAt) > acceptedUntil) continue;
    const next = [...taken, { jobId: id, userIds: erase.userIds, acceptedAt }];
    if (JSON.stringify(next).length > takenCharactersMax) break;
    const set = { payload: { ...payload, takenBy: jobId } };
    const asRead = { state, leaseId, dueAt, attempts };
    if (await commit([jobEntity.update({ jobId: id }, { set }, asRead)])) taken.push(...next.slice(-1));
  }
  return taken;
}

/** It has begun to read nothing: it has an identity, or was taken by an erasure that may have died. */
const isTakeable = ({ state, payload }: Job) =>
  state === "waiting" && payload.pass === 1 && ("identity" in payload || "takenBy" in payload);

/** Those that have no receipt yet. The users of the others can have been added again. */
export async function withoutReceipt({ workspace }: WorkspaceRef, taken: readonly Taken[]): Promise<Taken[]> {
  const receipts = await Promise.all(taken.map(({ jobId }) => Receipt.get({ workspace, jobId })));
  return taken.filter((_, index) => receipts[index] === undefined);
}
