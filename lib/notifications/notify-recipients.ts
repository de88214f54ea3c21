// Adds one notification to the inboxes of its recipients (DECISIONS.md#notification-fan-out), in steps: first the users
// that it names, then its audience, page by page. A run that ends early returns the payload of the next run.
import { randomUUID } from "node:crypto";
import { loadSubjects } from "../access/resolve.ts";
import { thenRelease } from "../http/call-slot.ts";
import { type Job, newJob } from "../jobs/job.ts";
import type { RunResult } from "../jobs/worker.ts";
import { documentByUid } from "../store/document-by-uid.ts";
import type { NotificationPointer } from "../store/inbox.ts";
import * as Notification from "../store/notification.ts";
import * as Owner from "../store/owner.ts";
import * as Recipients from "../store/recipients.ts";
import * as Setting from "../store/setting.ts";
import * as User from "../store/user.ts";
import * as WaitingSlot from "../store/waiting-slot.ts";
import { type Cursors, nextOf, startOf } from "./audience.ts";
import { type Candidate, type EligibilityFilter, eligibilityFilter } from "./eligible.ts";

export interface NotifyPayload extends NotificationPointer {
  /** The folders above the document when the first step was done. */
  folders?: string[];
  /** The sources of the audience that remain. Absent: no step is done yet. */
  cursors?: Cursors;
}

type NotifyTask = NotifyPayload & Notification.NotificationRef;

/** Maximum duration of a step, in ms: with the service's own grants, and with a customer's permission provider. */
const stepMs = { own: 5_000, provider: 25_000 };
/** How long after the time of a run its slot is free if its worker died. Lambda ends the worker 5 s after that time. */
const leaseReserveMs = 15_000;
/** Until a job runs again that found no slot. */
const slotRetrySeconds = 5;

/** Loaded once for all steps of a run. */
interface Run {
  task: NotifyTask;
  /** Of the stored content. */
  characters: number;
  content: Notification.Content;
  named: Candidate[];
  namedIds: Set<string>;
  /** Above the document. */
  folders: string[];
  filter: EligibilityFilter;
  /** Waits for the permission provider of the workspace. */
  asksProvider: boolean;
}

export function notifyJob({ workspace, ...pointer }: Notification.NotificationRef): Job {
  return newJob("notify", workspace, pointer);
}

/**
 * Makes steps until done or near `until` (ms since the epoch). At least one, unless other jobs of the workspace hold all
 * slots that the permission provider requires.
 */
export async function notifyRecipients(workspace: string, payload: NotifyPayload, until: number): Promise<RunResult> {
  const task = { ...payload, workspace };
  const run = await load(task);
  if (!run) return resultOf(await deleteEntries(task, payload, until));
  const rest = run.asksProvider ? await inSlot(run, payload, until) : await makeSteps(run, payload, until);
  if (!rest) return { again: { payload: { ...payload }, delaySeconds: slotRetrySeconds } };
  if (!isDone(rest)) return resultOf(rest);
  // A purge of the document may have ended before the last entries were written. A purge after this read finds them
  // all.
  return (await documentByUid(task)) ? "done" : resultOf(await deleteEntries(task, rest, until));
}

/** `rest`: the payload of what remains. */
const resultOf = (rest: NotifyPayload | undefined): RunResult =>
  rest ? { again: { payload: { ...rest }, delaySeconds: 0 } } : "done";

/** Makes steps in one of the workspace's slots (DECISIONS.md#waits-for-others). Undefined when all are held. */
async function inSlot(run: Run, payload: NotifyPayload, until: number): Promise<NotifyPayload | undefined> {
  const leaseMs = until + leaseReserveMs - Date.now();
  const slot = await WaitingSlot.hold(run.task, "notify", randomUUID(), leaseMs);
  return slot && thenRelease(slot, () => makeSteps(run, payload, until));
}

async function makeSteps(run: Run, payload: NotifyPayload, until: number): Promise<NotifyPayload> {
  const longestMs = run.asksProvider ? stepMs.provider : stepMs.own;
  let rest = payload;
  do rest = { ...rest, ...(await nextStep(run, rest)) };
  while (!isDone(rest) && Date.now() + longestMs < until);
  return rest;
}

const isDone = ({ cursors }: NotifyPayload) => cursors?.every((cursor) => cursor === null) === true;

/** Undefined when the notification or its document is deleted. */
async function load(task: NotifyTask): Promise<Run | undefined> {
  const { workspace, organizationId, documentUid, at, cursors } = task;
  const [[text], owner, access, provider] = await Promise.all([
    Notification.contentsOf(task, [task]),
    Owner.get(task),
    Setting.get(task, "access"),
    Setting.get(task, "permissionProvider"),
  ]);
  if (text === undefined || !owner) return undefined;
  const content = JSON.parse(text) as Notification.Content;
  const namedIds = new Set(content.notifyUsers.map(({ userId }) => userId));
  const userIds = cursors ? [] : [...namedIds];
  const question = { workspace, organizationId, userIds, folderIds: [], documentIds: [owner.documentId] };
  const subjects = await loadSubjects(question, Promise.resolve(access.defaultAccessType));
  const document = subjects.documents.get(owner.documentId);
  // A migration may have changed the document's id since the owner was read. Then it is not deleted.
  if (document?.documentUid !== documentUid) return (await documentByUid(task)) ? load(task) : undefined;
  const notice = { workspace, organizationId, at, document: { ...document, documentUid }, content, provider };
  const filter = await eligibilityFilter(notice);
  const named = userIds.map((userId) => ({ userId, user: subjects.users.get(userId), isNamed: true }));
  const asksProvider = content.verifyUserPermissions && provider.usePermissionProvider;
  const shared = { task, content, characters: text.length, named, namedIds, folders: document.folders, filter };
  return { ...shared, asksProvider };
}

async function nextStep(run: Run, { cursors, folders = [] }: NotifyPayload): Promise<Partial<NotifyPayload>> {
  if (!cursors) {
    await notifyEligible(run, run.named);
    return { folders: run.folders, cursors: run.content.notifyAll ? startOf(run.folders) : [] };
  }
  const next = await nextOf(run.task, folders, cursors);
  await notifyEligible(
    run,
    next.candidates.filter(({ userId }) => !run.namedIds.has(userId)),
  );
  return { cursors: next.cursors };
}

async function notifyEligible({ task, characters, filter }: Run, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return;
  const recipients = await filter(candidates);
  const { workspace, organizationId, documentUid, at, notificationId } = task;
  await Recipients.add(
    { workspace, organizationId, documentUid, at, notificationId },
    characters,
    recipients.map(({ userId, user }) => ({ userId, generation: User.generationOf(user) })),
  );
}

/** Deletes the entries of a notification whose document is deleted. Returns the payload if there is more to delete. */
async function deleteEntries(
  task: NotifyTask,
  payload: NotifyPayload,
  until: number,
): Promise<NotifyPayload | undefined> {
  return (await Recipients.removeAll(task, until)) ? undefined : payload;
}
