// The runs of an erasure's job (DECISIONS.md#erasure-of-users). The first run makes sure that nobody can add the users,
// and ends their access. The next run begins when all earlier calls have ended. It begins a pass, which reads everything.
// Further passes follow, a minute apart, until a pass finds nothing. After the call, others can still write about the
// users. So from the tenth pass on, a pass that has erased all that it found is the last one. The job keeps the remaining
// steps, so each run continues where the last run ended.
import { inFlightSeconds } from "../call.ts";
import { inParallel } from "../concurrency.ts";
import { config } from "../config.ts";
import type { Item } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { releaseSafely } from "../http/call-slot.ts";
import type { RunResult } from "../jobs/worker.ts";
import type { Progress } from "../schema/jobs.ts";
import * as TokenRevocation from "../store/access/token-revocation.ts";
import { type OrganizationEntry, organizationEntryEntity } from "../store/content/organization.ts";
import * as BeingErased from "../store/erasure/being-erased.ts";
import * as ErasureCount from "../store/erasure/erasure-count.ts";
import * as Receipt from "../store/erasure/receipt.ts";
import type { Job } from "../store/job.ts";
import * as WaitingSlot from "../store/waiting-slot.ts";
import { appendWaiting } from "./append-to-log.ts";
import { type Context, type Step, sealedTask, type Task, taskOf } from "./context.ts";
import { eraseFromJobs } from "./erase-from-jobs.ts";
import { endLives, eraseLives } from "./lives.ts";
import { accessSteps, rootSteps } from "./steps.ts";
import { storeReceipt } from "./store-receipt.ts";
import { takeWaiting, withoutReceipt } from "./take-waiting.ts";
import { visit } from "./visit.ts";

/** The payload has no ids of users, except sealed ones. */
interface ErasePayload extends Record<string, unknown> {
  /** A sealed `Task`. */
  erase: string;
  /** Counts from 1; absent before the first pass. */
  pass?: number;
  /** Identifies the users and the organization, until the first pass has begun. */
  identity?: string;
  /** The job whose passes erase these users too. */
  takenBy?: string;
  /** How much the job had done when this pass began. */
  foundBefore?: number;
  progress?: Progress;
  /** An earlier run of this pass could not erase everything that it found. So another pass must follow. */
  isIncomplete?: boolean;
}

/** How long after the time of a run the slot is free if no further run comes. A pass follows the last one after 60 s. */
const leaseReserveMs = (inFlightSeconds + 60) * 1_000;
/** Until a job that found no slot runs again; random, so that jobs that were added together do not run together. */
const waitSeconds = () => Math.ceil(30 * (1 + Math.random()));
/** Workers are shared with other jobs. */
const pauseSeconds = 5;
/** A later pass would find only what was written long after the call. */
const passesMax = 10;

/** One run. It ends at `until` (ms since the epoch). An erasure holds the slot of its workspace from its first pass on. */
export async function runErasure(job: Job, until: number): Promise<RunResult> {
  const { workspace, id: jobId } = job;
  const payload = job.payload as ErasePayload;
  const { steps: before, ...task } = await taskOf(workspace, payload.erase);
  const again = async ({ steps, ...rest }: Partial<ErasePayload> & { steps?: Step[] }, delaySeconds: number) => {
    const erase = await sealedTask(workspace, { ...task, ...(steps && { steps }) });
    return { again: { payload: { ...rest, erase }, delaySeconds } };
  };
  // A run that died at its end has signed the receipt. The users can have been added again since.
  if (await Receipt.get({ workspace, jobId })) return end(job, task, payload.progress);
  const { pass } = payload;
  if (pass === undefined) {
    const { userIds, organizationId } = task.erase;
    await BeingErased.add({ workspace }, task.erase, jobId);
    const context = contextOf(job, task);
    if (before === undefined) await revokeTokens(context);
    if (organizationId !== undefined) await endLives(context, organizationId, userIds);
    const steps = organizationId === undefined ? await walk(context, before ?? accessSteps(context), until) : [];
    const { identity } = payload;
    const first = { ...(identity && { identity }), progress: progressOf(task, payload, 0) };
    return steps.length > 0 ? again({ ...first, steps }, 0) : again({ ...first, pass: 1 }, config.purgeStartSeconds());
  }
  const isHeld = await WaitingSlot.hold({ workspace }, "erasure", jobId, until + leaseReserveMs - Date.now());
  if (!isHeld) return { again: { payload, delaySeconds: waitSeconds() } };
  const isBegun = before !== undefined || payload.foundBefore !== undefined;
  // While another erasure held the slot, it can have done what this one had taken.
  task.taken = isBegun
    ? await withoutReceipt({ workspace }, task.taken ?? [])
    : await takeWaiting({ workspace }, jobId, task);
  const context = contextOf(job, task);
  // A call that was in flight when the first run revoked the tokens can have made one. All such calls have ended now.
  if (!isBegun) await revokeTokens(context);
  const steps = await walk(context, before ?? rootSteps(context), until);
  const progress = progressOf(task, payload, context.organizationsDone);
  const { isIncomplete } = context;
  const { identity: _, takenBy: __, ...begun } = payload;
  if (steps.length > 0) return again({ ...begun, progress, isIncomplete, steps }, pauseSeconds);
  // Each job that was taken has counted the users whose access it ended.
  const jobIds = [jobId, ...task.taken.map((each) => each.jobId)];
  const found = await ErasureCount.sum({ workspace }, jobIds);
  const foundBefore = ErasureCount.total(found);
  if (pass > 1 && !isIncomplete && (foundBefore === payload.foundBefore || pass >= passesMax)) {
    // The own receipt first: with it, no run of this job erases anything.
    const all = [{ jobId, acceptedAt: task.acceptedAt, userIds: task.erase.userIds }, ...task.taken];
    for (const each of all) await storeReceipt(context, each, { found, progress, together: all.length });
    return end(job, task, progress);
  }
  // Calls and workers that were in flight can have written meanwhile.
  return again({ pass: pass + 1, foundBefore, progress: { ...progress, total: progress.done } }, inFlightSeconds);
}

const revocationsInFlight = 16;

/** A token opens public documents of organizations that do not know its user, and so have no tombstone of the user. */
async function revokeTokens({ workspace, userIds }: Context): Promise<void> {
  await inParallel(userIds, revocationsInFlight, (userId) => TokenRevocation.revoke({ workspace, userId }));
}

function contextOf({ workspace, id: jobId, payload }: Job, { erase, acceptedAt, taken = [] }: Task): Context {
  const times = [acceptedAt, ...taken.map((each) => each.acceptedAt)].sort();
  const userIds = [...new Set([...erase.userIds, ...taken.flatMap((each) => each.userIds)])];
  return {
    ...{ workspace, jobId, userIds, organizationId: erase.organizationId },
    ...{ acceptedAt: times.at(0) as string, lastAcceptedAt: times.at(-1) as string },
    users: new Set(userIds),
    organizationsDone: 0,
    isIncomplete: payload.isIncomplete === true,
  };
}

/** Organizations count in the first pass. */
function progressOf({ erase }: Task, { pass = 1, progress }: ErasePayload, organizationsDone: number): Progress {
  const before: Progress = progress ?? { done: 0, ...(erase.organizationId !== undefined && { total: 1 }) };
  return pass === 1 ? { ...before, done: before.done + organizationsDone } : before;
}

/** The receipt is stored before: then, the counts and the slot are not needed, and the users can be added again. */
async function end({ workspace, id: jobId }: Job, { erase }: Task, progress?: Progress): Promise<RunResult> {
  await ErasureCount.remove({ workspace, jobId });
  await BeingErased.remove({ workspace }, erase, jobId);
  await releaseSafely({ workspace, kind: "erasure", slot: 0, holder: jobId });
  return { done: progress ? { progress } : {} };
}

/** Most items in a page: each can lead to further steps, which the job stores. */
const pageItems = 25;
/** An organization leads to 36 steps, or to writes for 100 users. */
const organizationsPerPage = 4;

/**
 * One pass: visits all content that can name the users, in pages. Any content can name a user, so a pass reads all
 * content of the organizations, once for all users together. Takes the steps until none is left, or until `until` (ms
 * since the epoch). Returns the remaining steps.
 */
async function walk(context: Context, steps: readonly Step[], until: number): Promise<Step[]> {
  const rest = [...steps];
  for (let step = rest.pop(); step; step = rest.pop()) {
    rest.push(...(await take(context, step, until)));
    if (Date.now() > until) return rest;
  }
  return rest;
}

/** Returns the steps that follow from this one. */
async function take(context: Context, step: Step, until: number): Promise<Step[]> {
  if (step.end) {
    context.organizationsDone++;
    return [];
  }
  if (step.outbox) {
    const from = await eraseFromJobs(context, step.from, until);
    return from === undefined ? [] : [{ ...step, from }];
  }
  if (step.lives !== undefined) {
    const from = await eraseLives(context, step.lives, step.from, until);
    return from === undefined ? [] : [{ ...step, from }];
  }
  if (step.access) {
    const { items, next } = await Table.query<OrganizationEntry>({ limit: organizationsPerPage, ...step.access });
    for (const { organizationId } of items) await endLives(context, organizationId, context.userIds);
    return next === undefined ? [] : [{ access: { ...step.access, after: next } }];
  }
  if (step.log !== undefined) return (await appendWaiting(context, step.log, until)) ? [] : [step];
  const isOfOrganizations = organizationEntryEntity.partitions(context).includes(step.pk);
  const limit = isOfOrganizations ? organizationsPerPage : pageItems;
  const { items, next } = await Table.query<Item>({ limit, ...step });
  const below = await visit(context, items);
  return [...(next === undefined ? [] : [{ ...step, after: next }]), ...below];
}
