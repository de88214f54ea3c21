// From one notification to all its recipients (DECISIONS.md#notification-fan-out), in steps: first the users that it names, then the organization's
// members, a page of each shard at a time. A run that ends early returns the payload of the next one.
import { loadSubjects } from "../access/resolve.ts";
import { shardCount } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { type Job, newJob } from "../jobs/job.ts";
import { documentByUid } from "../store/document-by-uid.ts";
import type { NotificationPointer } from "../store/inbox.ts";
import * as Notification from "../store/notification.ts";
import * as Owner from "../store/owner.ts";
import * as Recipients from "../store/recipients.ts";
import * as Setting from "../store/setting.ts";
import * as User from "../store/user.ts";
import { type Candidate, type EligibilityFilter, eligibilityFilter } from "./eligible.ts";

export interface NotifyPayload extends NotificationPointer {
  /** By shard of the members: the key after which the next page begins, null at the end. Absent: no step is done. */
  cursors?: (string | null)[];
}

type NotifyTask = NotifyPayload & Notification.NotificationRef;

/** The pages of all shards fill one list of recipients. */
const pageSize = Math.floor(1_000 / shardCount);
/** The longest a step takes, more when a customer's permission provider is asked. */
const stepMs = { own: 5_000, provider: 25_000 };

/** What the steps of a run share. */
interface Run {
  task: NotifyTask;
  /** Of the stored content. */
  characters: number;
  content: Notification.Content;
  named: Candidate[];
  namedIds: Set<string>;
  filter: EligibilityFilter;
  stepMs: number;
}

export function notifyJob({ workspace, ...pointer }: Notification.NotificationRef): Job {
  return newJob("notify", workspace, pointer);
}

/** Works until done or until `until` (ms since the epoch) is near, at least one step. Returns what is left to do. */
export async function notifyRecipients(
  workspace: string,
  payload: NotifyPayload,
  until: number,
): Promise<NotifyPayload | undefined> {
  const task = { ...payload, workspace };
  const run = await open(task);
  if (!run) return takeBack(task, payload, until);
  let left = payload;
  do left = { ...payload, cursors: left.cursors ? await giveMembers(run, left.cursors) : await giveNamed(run) };
  while (!isDone(left) && Date.now() + run.stepMs < until);
  if (!isDone(left)) return left;
  // The document can have been purged before the last entries were written. From here on a purge finds all of them.
  return (await documentByUid(task)) ? undefined : takeBack(task, left, until);
}

const isDone = ({ cursors }: NotifyPayload) => cursors?.every((cursor) => cursor === null) === true;

/** Undefined when the notification or its document is deleted. */
async function open(task: NotifyTask): Promise<Run | undefined> {
  const { workspace, organizationId, documentUid, cursors } = task;
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
  if (document?.documentUid !== documentUid) return undefined;
  const notice = { workspace, organizationId, document: { ...document, documentUid }, content, provider };
  const filter = await eligibilityFilter(notice);
  const named = userIds.map((userId) => ({ userId, user: subjects.users.get(userId), isNamed: true }));
  const asksProvider = content.verifyUserPermissions && provider.usePermissionProvider;
  const shared = { task, content, characters: text.length, named, namedIds, filter };
  return { ...shared, stepMs: asksProvider ? stepMs.provider : stepMs.own };
}

async function giveNamed(run: Run): Promise<(string | null)[]> {
  await give(run, run.named);
  return run.content.notifyAll ? Array<string>(shardCount).fill("") : [];
}

/** One page of each shard that has more. */
async function giveMembers(run: Run, cursors: readonly (string | null)[]): Promise<(string | null)[]> {
  const { task, namedIds } = run;
  const pages = await Promise.all(
    cursors.map(async (after, shard) => {
      if (after === null) return { items: [] };
      const pk = User.userEntity.partition(task, shard);
      return Table.query<User.User>({ pk, limit: pageSize, after });
    }),
  );
  const members = pages
    .flatMap(({ items }) => items)
    .filter((user) => User.isMember(user) && !namedIds.has(user.userId))
    .map((user) => ({ userId: user.userId, user, isNamed: false }));
  await give(run, members);
  return pages.map(({ next }) => next ?? null);
}

async function give({ task, characters, filter }: Run, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return;
  const recipients = await filter(candidates);
  const { workspace, organizationId, documentUid, at, notificationId } = task;
  await Recipients.give(
    { workspace, organizationId, documentUid, at, notificationId },
    characters,
    recipients.map(({ userId }) => userId),
  );
}

/** Deletes the entries of a notification whose document is deleted. Returns the payload when there is more to do. */
async function takeBack(task: NotifyTask, payload: NotifyPayload, until: number): Promise<NotifyPayload | undefined> {
  return (await Recipients.takeBack(task, until)) ? undefined : payload;
}
