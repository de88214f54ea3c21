// From one notification to all its recipients, in steps: first those whom it names, then the organization's members,
// a page of each shard at a time. Where it goes on is all that a run leaves behind.
import { loadSubjects } from "../access/resolve.ts";
import { emptyPartition } from "../deletion/purge.ts";
import * as Table from "../dynamodb/table.ts";
import { type Job, newJob } from "../jobs/queue.ts";
import { dataKeys } from "../store/data-keys.ts";
import { keys, shardCount } from "../store/keys.ts";
import * as Notification from "../store/notification.ts";
import * as Owner from "../store/owner.ts";
import * as Setting from "../store/setting.ts";
import * as User from "../store/user.ts";
import { type Candidate, type Judge, judgeOf } from "./eligible.ts";

export interface FanOut extends Notification.Place {
  /** By shard of the members: the key to go on after, null at the end. Absent: those who are named come first. */
  cursors?: (string | null)[];
}

/** The pages of all shards fill one list of recipients. */
const pageSize = Math.floor(1_000 / shardCount);
/** What a step may take: more where a customer's permission provider is asked. */
const stepMs = { own: 5_000, provider: 25_000 };

interface Run {
  workspace: string;
  place: Notification.Place;
  characters: number;
  content: Notification.Content;
  named: Candidate[];
  namedIds: Set<string>;
  judge: Judge;
  stepMs: number;
}

export function fanOutJob(workspace: string, place: Notification.Place): Job {
  return newJob("notify", workspace, { ...place });
}

/** Works until done or until `until` (ms since the epoch) is near, at one step at least. Answers what is left. */
export async function fanOut(workspace: string, fanOut: FanOut, until: number): Promise<FanOut | undefined> {
  const run = await open(workspace, fanOut);
  if (!run) return takeBack(workspace, fanOut, until);
  let left = fanOut;
  do left = { ...fanOut, cursors: left.cursors ? await giveMembers(run, left.cursors) : await giveNamed(run) };
  while (!isOver(left) && Date.now() + run.stepMs < until);
  if (!isOver(left)) return left;
  // A purge of the document may have passed by what was written since: now it cannot any more.
  return (await Owner.documentOf(workspace, fanOut.uid)) ? undefined : takeBack(workspace, left, until);
}

const isOver = ({ cursors }: FanOut) => cursors?.every((cursor) => cursor === null) === true;

/** What the steps of a run share; undefined where the notification or its document is gone. */
async function open(workspace: string, place: FanOut): Promise<Run | undefined> {
  const { organizationId, uid, cursors } = place;
  const [[text], owner, access, provider] = await Promise.all([
    Notification.contentsOf(workspace, [place]),
    Owner.get(workspace, uid),
    Setting.get(workspace, "access"),
    Setting.get(workspace, "permissionProvider"),
  ]);
  if (text === undefined || !owner) return undefined;
  const content = JSON.parse(text) as Notification.Content;
  const namedIds = new Set(content.notifyUsers.map(({ userId }) => userId));
  const userIds = cursors ? [] : [...namedIds];
  const question = { workspace, organizationId, userIds, folderIds: [], documentIds: [owner.documentId] };
  const subjects = await loadSubjects(question, Promise.resolve(access.defaultAccessType));
  const document = subjects.documents.get(owner.documentId);
  if (document?.uid !== uid) return undefined;
  const judge = await judgeOf({ workspace, organizationId, document: { ...document, uid }, content, provider });
  const named = userIds.map((userId) => ({ userId, user: subjects.users.get(userId), isNamed: true }));
  const asks = content.verifyUserPermissions && provider.usePermissionProvider;
  const { own, provider: slow } = stepMs;
  return { workspace, place, content, characters: text.length, named, namedIds, judge, stepMs: asks ? slow : own };
}

async function giveNamed(run: Run): Promise<(string | null)[]> {
  await give(run, run.named);
  return run.content.notifyAll ? Array<string>(shardCount).fill("") : [];
}

/** One page of each shard that is left. */
async function giveMembers(run: Run, cursors: readonly (string | null)[]): Promise<(string | null)[]> {
  const { workspace, place, namedIds } = run;
  const pages = await Promise.all(
    cursors.map(async (after, shard) => {
      if (after === null) return { items: [] };
      const pk = keys.userShard(workspace, place.organizationId, shard);
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

async function give({ workspace, place, characters, judge }: Run, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return;
  const recipients = await judge(candidates);
  await Notification.give(
    workspace,
    place,
    characters,
    recipients.map(({ userId }) => userId),
  );
}

/** Removes what was given of a notification whose document is gone. */
async function takeBack(workspace: string, fanOut: FanOut, until: number): Promise<FanOut | undefined> {
  const { pk } = dataKeys.recipients(workspace, fanOut.uid, fanOut.notificationId, "");
  const { isDone } = await emptyPartition(workspace, pk, until);
  return isDone ? undefined : fanOut;
}
