// The data that the worker loads to deliver a notification, in two parts. The first part says whether the run waits for
// the permission provider. The second part is large, so such a run loads it only when it holds a slot. A large fan-out is
// divided into a few parallel jobs: each has some shards of the members. To run, a job needs a slot of its workspace, so
// one workspace cannot use all workers.
import { hash } from "node:crypto";
import { loadSubjects } from "../access/resolve.ts";
import { shardCount } from "../dynamodb/key.ts";
import { wake } from "../jobs/wake.ts";
import { channelsFor, type Wishes, wishesOf } from "../messages/channel.ts";
import { notifiedEvent } from "../schema/interest.ts";
import type { AccessType } from "../schema/primitives.ts";
import * as UserGroup from "../store/access/user-group.ts";
import { documentByUid } from "../store/content/document-by-uid.ts";
import * as Owner from "../store/content/owner.ts";
import { type Job, newJob } from "../store/job.ts";
import type { NotificationPointer } from "../store/notifications/inbox.ts";
import * as Notification from "../store/notifications/notification.ts";
import * as Setting from "../store/setting.ts";
import { slotCounts } from "../store/waiting-slot.ts";
import type { Cursors } from "./audience.ts";
import { type Candidate, type EligibilityFilter, eligibilityFilter } from "./eligible.ts";

export interface NotifyPayload extends NotificationPointer {
  /** The sources of the audience that remain. Absent: no step is done yet. */
  cursors?: Cursors;
  /** Steps so far. */
  steps?: number;
  /** A part of a divided fan-out, which is never divided again. */
  isPart?: true;
  /** The groups in `notifyUserGroups`, as they were when the notification was added. Absent: none. */
  groups?: UserGroup.StoredLife[];
  /** How often in a row the job has found no slot. Absent: never. */
  waits?: number;
}

export type NotifyTask = NotifyPayload & Notification.NotificationRef;

interface Head {
  task: NotifyTask;
  /** Characters of the stored content. */
  characters: number;
  content: Notification.Content;
  /** The document's id when the head was loaded. A migration can change it. */
  documentId: string;
  defaultAccessType: AccessType;
  provider: Setting.Settings["permissionProvider"];
  wishes: Wishes;
  /** Waits for the permission provider of the workspace. */
  asksProvider: boolean;
}

/** Loaded once for all steps of a run. */
export interface Run extends Head {
  named: Candidate[];
  namedIds: Set<string>;
  /** Undefined where a group has been deleted since. */
  groups: (UserGroup.GroupLifeRef | undefined)[];
  filter: EligibilityFilter;
  /** Names of the queues of messages that this run has woken. */
  woken: Set<string>;
}

/** A document rarely changes its id, so the first or the second read finds it. */
const documentReadsMax = 5;

/** Undefined when the notification or its document is deleted. */
export async function loadHead(task: NotifyTask): Promise<Head | undefined> {
  const [[text], owner, access, provider, wishes] = await Promise.all([
    Notification.contentsOf(task, [task]),
    Owner.get(task),
    Setting.get(task, "access"),
    Setting.get(task, "permissionProvider"),
    wishesOf(task),
  ]);
  if (text === undefined || !owner) return undefined;
  const content = JSON.parse(text) as Notification.Content;
  const asksProvider = content.verifyUserPermissions && provider.usePermissionProvider;
  const { defaultAccessType } = access;
  const { documentId } = owner;
  const read = { documentId, defaultAccessType, provider, wishes, asksProvider };
  return { task, characters: text.length, content, ...read };
}

/** Undefined when the document is deleted. */
export async function loadRun(head: Head): Promise<Run | undefined> {
  const { task, content, provider, defaultAccessType } = head;
  const { workspace, organizationId, documentUid, at, cursors } = task;
  const namedIds = new Set(content.notifyUsers.map(({ userId }) => userId));
  const userIds = cursors ? [] : [...namedIds];
  const [found, groups] = await Promise.all([
    subjectsOf(head, userIds),
    UserGroup.lasting({ workspace, organizationId }, task.groups ?? []),
  ]);
  if (!found) return undefined;
  const { users, document } = found;
  const messageChannels = channelsFor(head.wishes, notifiedEvent);
  const about = { workspace, organizationId, at, content, provider, defaultAccessType, messageChannels };
  const filter = await eligibilityFilter({ ...about, document: { ...document, documentUid } });
  const named = userIds.map((userId) => ({ userId, user: users.get(userId), isNamed: true }));
  return { ...head, named, namedIds, groups, filter, woken: new Set() };
}

/** The users and the document. Undefined when the document is deleted. Throws if each read missed it. */
async function subjectsOf({ task, ...head }: Head, userIds: string[]) {
  const { workspace, organizationId, documentUid } = task;
  let { documentId } = head;
  for (let reads = 0; reads < documentReadsMax; reads++) {
    const question = { workspace, organizationId, userIds, folderIds: [], documentIds: [documentId] };
    const { users, documents } = await loadSubjects(question);
    const document = documents.get(documentId);
    if (document?.documentUid === documentUid) return { users, document };
    // A migration may have changed the document's id since it was read. Then it is not deleted.
    const present = await documentByUid(task);
    if (!present) return undefined;
    documentId = present.documentId;
  }
  throw new Error(`The document changed at each of ${documentReadsMax} reads.`);
}

/**
 * Steps of one run: 20,000 users, about ten seconds. A fan-out that has not ended then is large: it is divided, and each
 * further run holds a slot. Short runs leave the worker to jobs of other workspaces.
 */
export const stepsOfRun = 20;

const openShards = (cursors: Cursors) =>
  cursors.flatMap((after, source) => (after !== null && source < shardCount ? [source] : []));

export const isLarge = ({ steps = 0 }: NotifyPayload) => steps >= stepsOfRun;

export const isDivisible = (payload: NotifyPayload) =>
  isLarge(payload) && !payload.isPart && openShards(payload.cursors ?? []).length > 1;

/**
 * Creates the jobs for the shards that have not ended. Returns the rest for this job: the other sources. The ids of the
 * jobs are derived, so a run that repeats a division after a crash creates no further jobs.
 */
export async function split({ id, workspace }: Job, rest: NotifyPayload): Promise<NotifyPayload> {
  const { cursors = [] } = rest;
  const shards = openShards(cursors);
  const only = (isKept: (source: number) => boolean) => cursors.map((after, source) => (isKept(source) ? after : null));
  const parts = Array.from({ length: Math.min(slotCounts.notify, shards.length) }, (_, part) =>
    shards.filter((_shard, index) => index % slotCounts.notify === part),
  );
  const jobs = parts.map((own, part) => {
    const job = newJob("notify", workspace, { ...rest, isPart: true, cursors: only((source) => own.includes(source)) });
    return { ...job, id: `notify-${hash("sha256", JSON.stringify([id, "part", part]), "base64url")}` };
  });
  await wake(jobs);
  return { ...rest, isPart: true, cursors: only((source) => source >= shardCount) };
}
