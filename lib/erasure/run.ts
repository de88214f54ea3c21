// The runs of an erasure's job (DECISIONS.md#erasure-of-users). The first one makes sure that nobody can add the users.
// The next one begins when all calls of before have ended. It reads everything, and so do further passes, a minute
// apart, until one finds nothing. The job keeps the steps that are left, so each run continues where the last one ended.
import { inFlightSeconds } from "../call.ts";
import { config } from "../config.ts";
import { commit } from "../jobs/commit.ts";
import type { Job } from "../jobs/job.ts";
import type { RunResult } from "../jobs/worker.ts";
import type { Progress } from "../schema/jobs.ts";
import * as BeingErased from "../store/being-erased.ts";
import * as ErasureCount from "../store/erasure-count.ts";
import * as Receipt from "../store/receipt.ts";
import * as User from "../store/user.ts";
import type { Context, Step } from "./context.ts";
import { endLives } from "./lives.ts";
import { storeReceipt } from "./receipt.ts";
import { rootSteps } from "./steps.ts";
import { walk } from "./walk.ts";

export interface ErasePayload extends Record<string, unknown> {
  erase: BeingErased.Erasure;
  /** ISO 8601. */
  acceptedAt: string;
  /** Counts from 1; absent before the first pass. */
  pass?: number;
  /** What this pass must still do; absent: it begins. */
  steps?: Step[];
  /** How much it had done when this pass began. */
  foundBefore?: number;
  progress?: Progress;
  /** An earlier run of this pass could not do all that it found. So another pass must follow. */
  isIncomplete?: boolean;
  /** Begun by the release that erased one user at a time. */
  isFormer?: true;
}

/** The payload of that release. */
interface FormerErasure {
  organizationId: string;
  userId: string;
}

/** One run. It ends at `until` (ms since the epoch). */
export async function runErasure(job: Job, until: number): Promise<RunResult> {
  const payload = payloadOf(job);
  const { erase, acceptedAt, pass } = payload;
  const { userIds, organizationId } = erase;
  const { workspace, id: jobId } = job;
  const context: Context = {
    ...{ workspace, jobId, userIds, organizationId, acceptedAt },
    users: new Set(userIds),
    organizationsDone: 0,
    isIncomplete: payload.isIncomplete === true,
  };
  // A run that died at its end has signed the receipt. The users can have been added again since.
  if (await Receipt.get({ workspace, jobId })) return end(context, payload);
  if (pass === undefined) {
    await BeingErased.add({ workspace }, erase, job.id);
    if (organizationId !== undefined) await endLives(context, organizationId, userIds);
    const progress = progressOf(payload, 0);
    return { again: { payload: { ...payload, pass: 1, progress }, delaySeconds: config.purgeStartSeconds() } };
  }
  const steps = await walk(context, payload.steps ?? rootSteps(context), until);
  const progress = progressOf(payload, context.organizationsDone);
  const { isIncomplete } = context;
  const next = { ...payload, progress, isIncomplete };
  if (steps.length > 0) return { again: { payload: { ...next, steps }, delaySeconds: 0 } };
  const found = await ErasureCount.sum({ workspace, jobId });
  const foundBefore = ErasureCount.total(found);
  if (pass > 1 && !isIncomplete && foundBefore === payload.foundBefore) {
    await storeReceipt(context, found, progress);
    return end(context, next);
  }
  const { steps: _steps, isIncomplete: _isIncomplete, ...task } = next;
  const later = { ...task, pass: pass + 1, foundBefore, progress: { ...progress, total: progress.done } };
  // Calls and workers that were in flight can have written meanwhile.
  return { again: { payload: later, delaySeconds: inFlightSeconds } };
}

/** Organizations count in the first pass. */
function progressOf({ erase, pass = 1, progress }: ErasePayload, organizationsDone: number): Progress {
  const before: Progress = progress ?? { done: 0, ...(erase.organizationId !== undefined && { total: 1 }) };
  return pass === 1 ? { ...before, done: before.done + organizationsDone } : before;
}

/** The receipt is stored before: then, the counts are not needed, and the users can be added again. */
async function end(
  { workspace, jobId, userIds, organizationId }: Context,
  { erase, progress, isFormer }: ErasePayload,
): Promise<RunResult> {
  await ErasureCount.remove({ workspace, jobId });
  await BeingErased.remove({ workspace }, erase, jobId);
  if (isFormer && organizationId !== undefined) {
    for (const userId of userIds) await commit([User.erasureEnd({ workspace, organizationId, userId }, jobId)]);
  }
  return { done: progress ? { progress } : {} };
}

function payloadOf({ payload }: Job): ErasePayload {
  const { erase, ...rest } = payload as { erase: BeingErased.Erasure | FormerErasure } & Job["payload"];
  if ("userIds" in erase) return { ...rest, erase } as ErasePayload;
  const { organizationId, userId } = erase;
  return { erase: { organizationId, userIds: [userId] }, acceptedAt: new Date().toISOString(), isFormer: true };
}
