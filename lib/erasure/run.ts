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
import * as User from "../store/user.ts";
import { type Context, countOf, type Found, type Step } from "./context.ts";
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
  /** What the job has done so far. */
  found?: Found;
  /** How much it had done when this pass began. */
  foundBefore?: number;
  progress?: Progress;
  /** A run of this pass has failed. What it found is not counted, so another pass must follow. */
  isDisturbed?: boolean;
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
  const { erase, acceptedAt, pass, found = { removed: {}, redacted: {} } } = payload;
  const { userIds, organizationId } = erase;
  const { workspace } = job;
  const context: Context = {
    ...{ workspace, userIds, organizationId, acceptedAt, found },
    users: new Set(userIds),
    organizationsDone: 0,
  };
  if (pass === undefined) {
    await BeingErased.add({ workspace }, erase, job.id);
    if (organizationId !== undefined) await endLives(context, organizationId, userIds);
    const progress = progressOf(payload, 0);
    return { again: { payload: { ...payload, pass: 1, found, progress }, delaySeconds: config.purgeStartSeconds() } };
  }
  const steps = await walk(context, payload.steps ?? rootSteps(context), until);
  const progress = progressOf(payload, context.organizationsDone);
  const isDisturbed = payload.isDisturbed === true || job.attempts > 1;
  const next = { ...payload, found, progress, isDisturbed };
  if (steps.length > 0) return { again: { payload: { ...next, steps }, delaySeconds: 0 } };
  if (pass > 1 && !isDisturbed && countOf(found) === payload.foundBefore) return end(job, context, next);
  const { steps: _steps, isDisturbed: _isDisturbed, ...task } = next;
  const total = progress.done;
  const later = { ...task, pass: pass + 1, foundBefore: countOf(found), progress: { ...progress, total } };
  // Calls and workers that were in flight can have written meanwhile.
  return { again: { payload: later, delaySeconds: inFlightSeconds } };
}

/** Organizations count in the first pass. */
function progressOf({ erase, pass = 1, progress }: ErasePayload, organizationsDone: number): Progress {
  const before: Progress = progress ?? { done: 0, ...(erase.organizationId !== undefined && { total: 1 }) };
  return pass === 1 ? { ...before, done: before.done + organizationsDone } : before;
}

/** The receipt is stored before the users can be added again, and before the job forgets them. */
async function end(job: Job, context: Context, { erase, progress, isFormer }: ErasePayload): Promise<RunResult> {
  const { workspace, userIds, organizationId } = context;
  await storeReceipt(job, context, progress ?? { done: 0 });
  await BeingErased.remove({ workspace }, erase, job.id);
  if (isFormer && organizationId !== undefined) {
    for (const userId of userIds) await commit([User.erasureEnd({ workspace, organizationId, userId }, job.id)]);
  }
  return { done: progress ? { progress } : {} };
}

function payloadOf({ payload }: Job): ErasePayload {
  const { erase, ...rest } = payload as { erase: BeingErased.Erasure | FormerErasure } & Job["payload"];
  if ("userIds" in erase) return { ...rest, erase } as ErasePayload;
  const { organizationId, userId } = erase;
  return { erase: { organizationId, userIds: [userId] }, acceptedAt: new Date().toISOString(), isFormer: true };
}
