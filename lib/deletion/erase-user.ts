// Erases a user from an organization. Content of others can name the user, so all content of the organization is
// walked, page by page. The ranges still to walk are kept in the job, so that a run can continue where another one
// stopped. A tombstone stays (the id and the generation, nothing else): without it, a grant in flight would be valid.
import { deleteAll } from "../dynamodb/batch-write.ts";
import type { Item, Key } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { commit, commitEach } from "../jobs/commit.ts";
import { type Job, newJob } from "../jobs/job.ts";
import { eraseUserFromJudgments } from "../store/add-judgments.ts";
import { documentEntity } from "../store/document.ts";
import { documentGrantEntity } from "../store/grant.ts";
import { judgmentEntity } from "../store/judgment.ts";
import * as JudgmentMonth from "../store/judgment-month.ts";
import { locationNodeEntity } from "../store/location.ts";
import { notificationEntity } from "../store/notification.ts";
import { preferenceEntity } from "../store/preference.ts";
import { presenceEntity } from "../store/presence.ts";
import type { DocumentUid, UserRef } from "../store/refs.ts";
import * as User from "../store/user.ts";
import { userDescendants } from "../store/user-data.ts";
import { groupMemberEntity, type UserGroup, userGroupEntity } from "../store/user-group.ts";
import { descendantsOf } from "./descendants.ts";
import { emptyPartition } from "./purge.ts";
import { rewriteWithoutUser } from "./rewrite-without-user.ts";

export type Erasure = Pick<UserRef, "organizationId" | "userId">;

export type Range = Pick<Table.Range, "pk" | "beginsWith" | "after">;

/** What a page came to: whether it named the user, and which ranges its items lead to. */
interface Visit {
  found: boolean;
  ranges: Range[];
}

/** Items of a page. It bounds the ranges that one page can add to the job. */
const pageItems = 25;

export function eraseJob(workspace: string, erasure: Erasure): Job {
  return newJob("purge", workspace, { erase: erasure });
}

/** Leaves a tombstone in the user's place: all access ends at once. Returns whether there was more than a tombstone. */
export async function leaveTombstone(ref: UserRef): Promise<boolean> {
  const user = await User.get(ref);
  if (User.generationOf(user) > 0 && !User.isKnown(user)) return false;
  // When another call changed the user meanwhile, the condition fails, and the next pass finds what it wrote.
  await commit([User.removal(ref, user ?? { userId: ref.userId })]);
  return true;
}

/** One run of a pass, from `stack` on. A `stack` in the result means that `until` (ms since the epoch) came first. */
export async function erase(
  workspace: string,
  erasure: Erasure,
  stack: readonly Range[] | undefined,
  until: number,
): Promise<{ found: boolean; stack?: Range[] }> {
  const ref = { workspace, ...erasure };
  let found = stack === undefined && (await leaveTombstone(ref));
  const rest = [...(stack ?? rootRanges(ref))];
  for (let range = rest.pop(); range; range = rest.pop()) {
    const { items, next } = await Table.query<Item>({ ...range, limit: pageItems });
    if (next !== undefined) rest.push({ ...range, after: next });
    const visit = await visitPage(ref, items);
    found ||= visit.found;
    rest.push(...visit.ranges);
    if (Date.now() > until) return { found, stack: rest };
  }
  for (const pk of userDescendants(ref).partitions ?? []) {
    const emptied = await emptyPartition(workspace, pk, until);
    found ||= emptied.found;
    if (!emptied.isDone) return { found, stack: [] };
  }
  return { found };
}

/** Groups, months of judgments and documents: everything else that can name a user is below them. */
function rootRanges(ref: UserRef): Range[] {
  const documents = documentEntity.partitions(ref).map((pk) => ({ pk }));
  return [userGroupEntity.range(ref), JudgmentMonth.rangeOf(ref), ...documents];
}

/** The items of a page are of one list, so the first one says how all of them are treated. */
async function visitPage(ref: UserRef, items: Item[]): Promise<Visit> {
  switch (items[0]?.entity) {
    case userGroupEntity.name:
      return { found: await deletePresent(items.map((item) => membershipKey(ref, item))), ranges: [] };
    case documentEntity.name:
      return visitDocuments(ref, items);
    case JudgmentMonth.judgmentMonthEntity.name:
      return { found: false, ranges: items.map((item) => judgmentsRange(ref, item)) };
    case judgmentEntity.name:
      return { found: await eraseUserFromJudgments(ref, items, ref.userId), ranges: [] };
    default:
      return visitContent(ref, items);
  }
}

const membershipKey = (ref: UserRef, group: Item) =>
  groupMemberEntity.key({ ...ref, ...userGroupEntity.attributesOf(group as Item & UserGroup) });

const judgmentsRange = ({ workspace }: UserRef, month: Item) =>
  judgmentEntity.range({ workspace, ...JudgmentMonth.judgmentMonthEntity.attributesOf(month) });

/** Deletes what the documents have of the user alone, and leads on to their locations and notifications. */
async function visitDocuments({ workspace, userId }: UserRef, documents: Item[]): Promise<Visit> {
  const refs = documents.map(({ documentUid }) => ({ workspace, documentUid: documentUid as DocumentUid, userId }));
  const lists = [documentGrantEntity, preferenceEntity, presenceEntity];
  const own = refs.flatMap((ref) => lists.map((list) => list.key(ref)));
  const ranges = refs.flatMap((ref) => [locationNodeEntity.range(ref), notificationEntity.range(ref)]);
  return { found: await deletePresent(own), ranges };
}

/** Deletes the content that the user made, and rewrites the content of others that names the user. */
async function visitContent({ workspace, userId }: UserRef, items: Item[]): Promise<Visit> {
  const own = items.filter((item) => authorOf(item) === userId);
  await deleteAll(own.flatMap((item) => descendantsOf(workspace, item).items));
  await deleteAll(own);
  const others = items.filter((item) => !own.includes(item));
  const rewrites = others.flatMap((item) => rewriteWithoutUser(item, userId));
  await commitEach(rewrites.map((write) => ({ writes: [write] })));
  const leadsOn = items.filter(
    ({ entity }) => entity === locationNodeEntity.name || entity === notificationEntity.name,
  );
  const ranges = leadsOn.flatMap((item) => descendantsOf(workspace, item).partitions.map((pk) => ({ pk })));
  return { found: own.length + rewrites.length > 0, ranges };
}

/** Who made a piece of feature data; undefined for other items. */
function authorOf({ record }: Item & { record?: string }): string | undefined {
  return record === undefined ? undefined : JSON.parse(record).from?.userId;
}

/** Returns whether there was any. */
async function deletePresent(keys: readonly Key[]): Promise<boolean> {
  const present = (await Table.getMany<Item>(keys)).filter((item) => item !== undefined);
  await deleteAll(present);
  return present.length > 0;
}
