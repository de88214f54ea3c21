// Adds one notification to the inboxes of its recipients, and queues its e-mails and Slack messages
// (DECISIONS.md#notification-fan-out). The first step takes the named users. The next steps take the audience and the
// groups, page by page. A run that ends early returns the payload of the next run.

import { randomUUID } from "node:crypto";
import { callSignal, causedBy } from "../call.ts";
import { thenRelease } from "../http/call-slot.ts";
import { wake } from "../jobs/wake.ts";
import type { RunResult } from "../jobs/worker.ts";
import { tellUsers } from "../live/announce.ts";
import { channelsFor, messageJob } from "../messages/channel.ts";
import { hasEnded } from "../retention.ts";
import { notifiedEvent } from "../schema/interest.ts";
import * as User from "../store/access/user.ts";
import { documentByUid } from "../store/content/document-by-uid.ts";
import type { Job } from "../store/job.ts";
import * as Waiting from "../store/messages/waiting-message.ts";
import * as Recipients from "../store/notifications/recipients.ts";
import * as WaitingSlot from "../store/waiting-slot.ts";
import { nextOf, startOf } from "./audience.ts";
import type { Candidate, Eligible } from "./eligible.ts";
import {
  isDivisible,
  isLarge,
  loadHead,
  loadRun,
  type NotifyPayload,
  type NotifyTask,
  type Run,
  split,
  stepsOfRun,
} from "./notify-run.ts";

/** Maximum duration of a step, in ms: with the service's own grants, and with a customer's permission provider. */
const stepMs = { own: 5_000, provider: 25_000 };
/** A dead worker's slot is free this long after the time of its run. Lambda ends the worker after 5 s. */
const leaseReserveMs = 15_000;
/** The wait until a job that found no slot runs again. It doubles each time, so that waiting jobs cost little. */
const waitSeconds = { first: 5, longest: 60 };

/**
 * Does nothing for a notification that has ended. Makes up to 20 steps until it is done or near `until` (ms since the
 * epoch), and at least one. A large fan-out needs a slot, and so does one that asks the permission provider. It waits
 * while other jobs of the workspace hold all slots (DECISIONS.md#waits-for-others).
 */
export async function notifyRecipients(job: Job, until: number): Promise<RunResult> {
  const { waits = 0, ...payload } = job.payload as unknown as NotifyPayload;
  if (hasEnded(payload)) return "done";
  const task = { ...payload, workspace: job.workspace };
  const head = await loadHead(task);
  if (!head) return resultOf(await deleteEntries(task, payload, until));
  const deliver = async () => {
    const run = await loadRun(head);
    return run ? makeSteps(run, job, payload, until) : deleteEntries(task, payload, until);
  };
  if (!head.asksProvider && !isLarge(payload)) return resultOf(await deliver());
  const slot = await WaitingSlot.hold(task, "notify", randomUUID(), until + leaseReserveMs - Date.now());
  if (!slot) return { again: { payload: { ...payload, waits: waits + 1 }, delaySeconds: secondsAfter(waits) } };
  // A job with more to do leaves its slot to the jobs that wait.
  return resultOf(await thenRelease(slot, deliver), waitSeconds.first);
}

/** `rest`: the payload of the remaining work. */
const resultOf = (rest: NotifyPayload | undefined, delaySeconds = 0): RunResult =>
  rest ? { again: { payload: { ...rest }, delaySeconds } } : "done";

/** Random between half and all of the wait, so that jobs that were added together do not run together. */
function secondsAfter(waits: number): number {
  const longest = Math.min(waitSeconds.longest, waitSeconds.first * 2 ** waits);
  return Math.ceil((longest * (1 + Math.random())) / 2);
}

/** Returns the payload of the remaining work of this job. */
async function makeSteps(
  run: Run,
  job: Job,
  payload: NotifyPayload,
  until: number,
): Promise<NotifyPayload | undefined> {
  const longestMs = run.asksProvider ? stepMs.provider : stepMs.own;
  let rest = payload;
  let steps = 0;
  do {
    const next = await nextStep(run, rest).catch(undefinedIfLate);
    // Completed steps stay done: the next run begins with the step that was aborted.
    if (!next && steps > 0) return rest;
    if (!next) throw callSignal()?.reason;
    rest = { ...rest, ...next, steps: (rest.steps ?? 0) + 1 };
    steps++;
  } while (!isDone(rest) && steps < stepsOfRun && Date.now() + longestMs < until);
  if (mustSplit(run, rest)) return split(job, rest);
  if (!isDone(rest)) return rest;
  // A purge of the document may have ended before the last entries were written. A purge after this read finds them
  // all.
  return (await documentByUid(run.task)) ? undefined : deleteEntries(run.task, rest, until);
}

/** Whether the fan-out may be divided. Parallel jobs would ask the permission provider more questions at once. */
const mustSplit = ({ asksProvider }: Run, rest: NotifyPayload) => !asksProvider && isDivisible(rest);

/** Undefined after the time of the run. */
function undefinedIfLate(thrown: unknown): undefined {
  if (!callSignal()?.aborted) throw thrown;
}

const isDone = ({ cursors }: NotifyPayload) => cursors?.every((cursor) => cursor === null) === true;

async function nextStep(run: Run, { cursors }: NotifyPayload): Promise<Partial<NotifyPayload>> {
  if (!cursors) {
    await notifyEligible(run, run.named);
    return { cursors: startOf(run.groups, run.content.notifyAll) };
  }
  const next = await nextOf(run.task, run.groups, cursors);
  await notifyEligible(
    run,
    next.candidates.filter(({ userId }) => !run.namedIds.has(userId)),
  );
  return { cursors: next.cursors };
}

async function notifyEligible(run: Run, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return;
  const { task, characters, filter } = run;
  const eligible = await filter(candidates);
  const recipients = eligible.filter(({ channels }) => channels.includes("inbox"));
  const { workspace, organizationId, documentUid, at, notificationId, ttl } = task;
  await Recipients.add(
    { workspace, organizationId, documentUid, at, notificationId, ttl },
    characters,
    recipients.map(({ userId, user }) => ({ userId, generation: User.generationOf(user) })),
  );
  await tellUsers(
    task,
    recipients.map(({ userId, user }) => {
      return { organizationId, userId, generation: User.generationOf(user), listenedUntil: user?.listenedUntil };
    }),
    [notificationId],
  );
  await addMessages(run, eligible);
}

/** Deletes the entries of a notification whose document is deleted. Returns the payload if there is more to delete. */
async function deleteEntries(
  task: NotifyTask,
  payload: NotifyPayload,
  until: number,
): Promise<NotifyPayload | undefined> {
  return (await Recipients.removeAll(task, until)) ? undefined : payload;
}

/** The clocks of two containers differ by less, ms. */
const skewMs = 5_000;

/**
 * Adds one message for each recipient and channel. Its key follows from the notification and the user. So a repeated
 * step changes nothing.
 */
async function addMessages({ task, content, wishes, woken }: Run, eligible: readonly Eligible[]): Promise<void> {
  const { workspace, organizationId, documentUid, at, notificationId } = task;
  const event = { event: notifiedEvent, at, origin: `n_${notificationId}`, notificationId };
  const caused = { actorId: content.actionUser.userId, ...causedBy() };
  const queues: Waiting.DueQueue[] = [];
  for (const channel of channelsFor(wishes, notifiedEvent)) {
    const dueAt = Date.parse(at) + wishes[channel].batchMs;
    const reached = eligible.filter(({ channels }) => channels.includes(channel));
    const messages = reached.map(({ userId, user, isNamed }): Waiting.WaitingMessage => {
      const of = { organizationId, documentUid, userId, generation: User.generationOf(user) };
      return { ...of, ...event, ...caused, ...(isNamed && { isPersonal: true }), dueAt };
    });
    if (messages.length > 0) queues.push(...(await Waiting.add({ workspace, channel }, messages)));
  }
  const nameOf = ({ channel, shard }: Waiting.DueQueue) => `${channel} ${shard}`;
  // A job that this run has woken was perhaps due before, and can have ended since.
  const isSureToRun = (queue: Waiting.DueQueue) => woken.has(nameOf(queue)) && queue.dueAt > Date.now() + skewMs;
  const asleep = queues.filter((queue) => !isSureToRun(queue));
  await wake(asleep.map(messageJob));
  for (const queue of asleep) woken.add(nameOf(queue));
}
