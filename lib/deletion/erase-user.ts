// Erases a user from an organization. Content of others can name the user, so a pass visits all content of the
// organization, in pages. The job keeps the ranges to visit, so each run continues where the last one stopped. A
// tombstone without personal data stays (ids, generation, time): without it, a grant that is being written would be
// valid.
import { deleteAll } from "../dynamodb/batch-write.ts";
import type { Item, Key } from "../dynamodb/key.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { commit, commitEach } from "../jobs/commit.ts";
import { type Job, newJob } from "../jobs/job.ts";
import { eraseUserFromJudgments } from "../store/add-judgments.ts";
import { deletedNotificationEntity } from "../store/deleted-notification.ts";
import { deletionMarkEntity } from "../store/deletion-mark.ts";
import { type Document, documentEntity } from "../store/document.ts";
import type { StoredFeature } from "../store/feature.ts";
import { documentGrantEntity } from "../store/grant.ts";
import { judgmentEntity } from "../store/judgment.ts";
import * as JudgmentMonth from "../store/judgment-month.ts";
import { locationNodeEntity } from "../store/location.ts";
import { type Migration, migrationEntity } from "../store/migration.ts";
import { notificationEntity } from "../store/notification.ts";
import { preferenceEntity } from "../store/preference.ts";
import { presenceEntity } from "../store/presence.ts";
import type { DocumentUid, UserRef } from "../store/refs.ts";
import * as User from "../store/user.ts";
import { userDescendants } from "../store/user-data.ts";
import { groupMemberEntity, type UserGroup, userGroupEntity } from "../store/user-group.ts";
import { descendantsOf } from "./descendants.ts";
import { emptyPartition } from "./purge.ts";
import { removeFeatures } from "./remove-features.ts";
import { rewriteWithoutUser } from "./rewrite-without-user.ts";

export type Erasure = Pick<UserRef, "organizationId" | "userId">;

export type Range = Pick<Table.Range, "pk" | "beginsWith" | "after">;

/** The result of one page: whether it named the user, and the ranges below its items. */
interface Visit {
  found: boolean;
  ranges: Range[];
}

/** Most items in a page. This limits the ranges that one page can add to the job. */
const pageItems = 25;

/**
 * Ends all access of the user, and stores the job that erases the user. Until it is done, nothing can create the user
 * again. `wasKnown`: the user had a profile, or had got a grant.
 */
export async function beginErasure(workspace: string, erasure: Erasure): Promise<{ job: Job; wasKnown: boolean }> {
  const ref = { workspace, ...erasure };
  const job = newJob("purge", workspace, { erase: erasure });
  return retryOnConflict("user", async () => {
    const user = await User.get(ref);
    const tombstone = User.removal(ref, user ?? { userId: ref.userId }, job.id);
    const isStored = await commit([tombstone], { jobs: [job] });
    return isStored ? { job, wasKnown: User.isKnown(user) } : conflict;
  });
}

/** Lets the user be added again, unless a later erasure goes on. */
export async function endErasure(workspace: string, erasure: Erasure, jobId: string): Promise<void> {
  await commit([User.erasureEnd({ workspace, ...erasure }, jobId)]);
}

/**
 * One run of a pass. Without `stack`, a new pass begins. The result has a `stack` when the run stopped at `until` (ms
 * since the epoch): the ranges for the next run.
 */
export async function erase(
  workspace: string,
  erasure: Erasure,
  stack: readonly Range[] | undefined,
  until: number,
): Promise<{ found: boolean; stack?: Range[] }> {
  const ref = { workspace, ...erasure };
  let found = false;
  const user = await User.get(ref);
  // The erasure has ended already: the user can have been added again.
  if (!user?.erasureJobId) return { found };
  const rest = [...(stack ?? rootRanges(ref))];
  for (let range = rest.pop(); range; range = rest.pop()) {
    const { items, next } = await Table.query<Item>({ ...range, limit: pageItems });
    if (next !== undefined) rest.push({ ...range, after: next });
    const visit = await visitPage(ref, items, user);
    found ||= visit.found;
    rest.push(...visit.ranges);
    if (Date.now() > until) return { found, stack: rest };
  }
  for (const pk of userDescendants({ ...ref, generation: User.generationOf(user) }).partitions ?? []) {
    const emptied = await emptyPartition(ref, pk, until);
    found ||= emptied.found;
    if (!emptied.isDone) return { found, stack: [] };
  }
  return { found };
}

/**
 * User groups, months of judgments, documents and migrations. All content of others that can name a user is below them.
 * The last range is read first. The migrations are read after all documents: one that was switched meanwhile may have
 * moved its document from a shard that was not read yet to one that was.
 */
function rootRanges(ref: UserRef): Range[] {
  const documents = documentEntity.partitions(ref).map((pk) => ({ pk }));
  return [migrationEntity.range(ref), userGroupEntity.range(ref), JudgmentMonth.rangeOf(ref), ...documents];
}

/** A page has items of one list, so the first item determines how all are treated. */
async function visitPage(ref: UserRef, items: Item[], user: User.User): Promise<Visit> {
  switch (items[0]?.entity) {
    case userGroupEntity.name:
      return { found: await deletePresent(items.map((item) => membershipKey(ref, item))), ranges: [] };
    case documentEntity.name:
      return visitDocuments(ref, items as (Item & Document)[]);
    case migrationEntity.name:
      return visitDocuments(ref, switchedSince(user, items as (Item & Migration)[]));
    case deletionMarkEntity.name:
    case JudgmentMonth.judgmentMonthEntity.name:
      return { found: false, ranges: judgmentsRanges(ref, items) };
    case judgmentEntity.name:
      return { found: await eraseUserFromJudgments(ref, items, ref.userId), ranges: [] };
    default:
      return visitContent(ref, items);
  }
}

const membershipKey = (ref: UserRef, group: Item) =>
  groupMemberEntity.key({ ...ref, ...userGroupEntity.attributesOf(group as Item & UserGroup) });

/** One range for each month, which can have several counters. */
function judgmentsRanges({ workspace }: UserRef, counters: Item[]): Range[] {
  const { judgmentMonthEntity } = JudgmentMonth;
  const months = counters.filter(({ entity }) => entity === judgmentMonthEntity.name);
  const ranges = months.map((each) => judgmentEntity.range({ workspace, ...judgmentMonthEntity.attributesOf(each) }));
  return [...new Map(ranges.map((range) => [range.pk, range] as const)).values()];
}

type DocumentUids = Pick<Document, "documentUid" | "waitingUids">;

/** How late the clock of another function can be. */
const clockSkewMs = 60_000;

/** The documents whose migrations were switched after the erasure of the user began. */
function switchedSince({ updatedAt = "" }: User.User, migrations: readonly Migration[]): DocumentUids[] {
  const since = Date.parse(updatedAt) - clockSkewMs;
  const switched = migrations.filter(({ switchedAt }) => switchedAt !== undefined && Date.parse(switchedAt) >= since);
  return switched.map(({ documentUid, reservedUid }) => ({
    documentUid,
    ...(reservedUid && { waitingUids: [reservedUid] }),
  }));
}

/** Deletes the user's own items of the documents. Returns the ranges of the documents' locations and notifications. */
async function visitDocuments({ workspace, userId }: UserRef, documents: DocumentUids[]): Promise<Visit> {
  const refOf = (documentUid: DocumentUid) => ({ workspace, documentUid, userId });
  const refs = documents.map(({ documentUid }) => refOf(documentUid));
  const lists = [documentGrantEntity, preferenceEntity, presenceEntity];
  const waiting = documents.flatMap(({ waitingUids }) => (waitingUids ?? []).map(refOf));
  // First the grants that wait for a migration: one that moves before its deletion is then in the document.
  const hadWaiting = await deletePresent(waiting.map((ref) => documentGrantEntity.key(ref)));
  const own = refs.flatMap((ref) => lists.map((list) => list.key(ref)));
  const ranges = refs.flatMap((ref) => [locationNodeEntity.range(ref), notificationEntity.range(ref)]);
  return { found: (await deletePresent(own)) || hadWaiting, ranges };
}

/** Deletes the content that the user wrote, and marks of the user. Rewrites the content of others that names the user. */
async function visitContent({ workspace, userId }: UserRef, items: Item[]): Promise<Visit> {
  const own = items.filter((item) => authorOf(item) === userId);
  await removeFeatures({ workspace }, own as (Item & StoredFeature)[]);
  const marks = items.filter((item) => isMarkOf(item, userId));
  await deleteAll(marks);
  const others = items.filter((item) => !own.includes(item) && !marks.includes(item));
  const rewrites = others.map((item) => rewriteWithoutUser({ workspace }, item, userId));
  await commitEach(rewrites.filter((writes) => writes.length > 0).map((writes) => ({ writes })));
  const leadsOn = items.filter(
    ({ entity }) => entity === locationNodeEntity.name || entity === notificationEntity.name,
  );
  const ranges = leadsOn.flatMap((item) => descendantsOf(workspace, item).partitions.map((pk) => ({ pk })));
  return { found: own.length + marks.length + rewrites.flat().length > 0, ranges };
}

/** The author of feature data; undefined for other items. */
function authorOf({ record }: Item & { record?: string }): string | undefined {
  return record === undefined ? undefined : JSON.parse(record).from?.userId;
}

/** Deletes the items that exist. Returns whether there was any. */
async function deletePresent(keys: readonly Key[]): Promise<boolean> {
  const present = (await Table.getMany<Item>(keys)).filter((item) => item !== undefined);
  await deleteAll(present);
  return present.length > 0;
}

/** Whether it is the mark that the user has deleted a notification. */
const isMarkOf = (item: Item & { userId?: string }, userId: string) =>
  item.entity === deletedNotificationEntity.name && item.userId === userId;
