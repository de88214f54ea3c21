// Erases the users from one page of items. Returns the steps below the items.
import { descendantsOf } from "../deletion/descendants.ts";
import { featureRemovals } from "../deletion/remove-features.ts";
import { rewriteWithoutUsers } from "../deletion/rewrite-without-users.ts";
import type { Item, Key } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { documentGrantEntity } from "../store/access/grant.ts";
import { groupMemberEntity, type UserGroup, userGroupEntity } from "../store/access/user-group.ts";
import { activityEntity } from "../store/activity/activity.ts";
import { judgmentEntity } from "../store/ai/judgment.ts";
import { judgmentMonthEntity } from "../store/ai/judgment-month.ts";
import { deletionMarkEntity } from "../store/content/deletion-mark.ts";
import { type Document, documentEntity } from "../store/content/document.ts";
import { locationNodeEntity } from "../store/content/location.ts";
import { type Migration, migrationEntity } from "../store/content/migration.ts";
import { organizationEntryEntity } from "../store/content/organization.ts";
import type { StoredFeature } from "../store/features/feature.ts";
import { openMessageEntity } from "../store/messages/open-message.ts";
import { toldEventsEntity } from "../store/messages/told-events.ts";
import { dueMessageEntity, waitingMessageEntity } from "../store/messages/waiting-message.ts";
import { deletedNotificationEntity } from "../store/notifications/deleted-notification.ts";
import { notificationEntity } from "../store/notifications/notification.ts";
import { preferenceEntity } from "../store/notifications/preference.ts";
import { presenceEntity } from "../store/presence.ts";
import { type DocumentUid, documentDataPartition } from "../store/refs.ts";
import { loggedEntity, pendingEntity } from "../store/webhooks/delivery.ts";
import { type WebhookEndpoint, webhookEndpointEntity } from "../store/webhooks/webhook-endpoint.ts";
import { eraseFromActivities } from "./activities.ts";
import type { Context, Step } from "./context.ts";
import { commitCounted, counting, removeCounted } from "./counted.ts";
import { eraseFromDeliveries } from "./deliveries.ts";
import { eraseUsersFromJudgments } from "./erase-judgments.ts";
import { eraseFromMessages } from "./messages.ts";
import { itemsWithoutSteps, organizationSteps } from "./steps.ts";

export async function visit(context: Context, items: readonly Item[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const [entity, some] of Map.groupBy(items, (item) => String(item.entity))) {
    steps.push(...((await (visitors[entity] ?? visitContent)(context, some)) ?? []));
  }
  return steps;
}

/** By entity. All other items are content. */
const visitors: Record<string, (context: Context, items: Item[]) => Promise<Step[] | undefined>> = {
  [organizationEntryEntity.name]: async ({ workspace }, items) =>
    items.flatMap((item) => organizationSteps({ workspace, organizationId: String(item.organizationId) })),
  [userGroupEntity.name]: (context, items) => deletePresent(context, membershipsOf(context, items)),
  [documentEntity.name]: async (context, items) => documentSteps(context, items as (Item & Document)[]),
  [migrationEntity.name]: async (context, items) =>
    documentSteps(context, switchedSince(context, items as (Item & Migration)[])),
  [documentGrantEntity.name]: deleteOwn,
  [preferenceEntity.name]: deletePreferences,
  [presenceEntity.name]: deleteOwn,
  [deletedNotificationEntity.name]: deleteOwn,
  [deletionMarkEntity.name]: async () => [],
  [judgmentMonthEntity.name]: async (context, items) => judgmentSteps(context, items),
  [judgmentEntity.name]: async (context, items) => {
    await eraseUsersFromJudgments(context, items, context.users, (some) => counting(context, "redacted", some));
    return [];
  },
  [webhookEndpointEntity.name]: async (context, items) => deliverySteps(context, items as (Item & WebhookEndpoint)[]),
  [pendingEntity.name]: eraseFromDeliveries,
  [loggedEntity.name]: eraseFromDeliveries,
  [activityEntity.name]: eraseFromActivities,
  [waitingMessageEntity.name]: eraseFromMessages,
  [dueMessageEntity.name]: eraseFromMessages,
  [openMessageEntity.name]: eraseFromMessages,
  [toldEventsEntity.name]: eraseFromMessages,
};

function membershipsOf({ workspace, userIds }: Context, groups: readonly Item[]): Key[] {
  const refs = groups.map((group) => ({ workspace, ...userGroupEntity.attributesOf(group as Item & UserGroup) }));
  return refs.flatMap((ref) => userIds.map((userId) => groupMemberEntity.key({ ...ref, userId })));
}

type DocumentUids = Pick<Document, "documentUid" | "waitingUids">;

/**
 * A key of a document's data that sorts after the content of its editors, which can be large, and after the lists of its
 * feature data, which are rewritten with the items.
 */
const afterContent = "FEATURE-ID$";

/**
 * One range for each document. The grants that wait for a migration are read first: a grant that moves between the
 * reads is found with its document.
 */
function documentSteps({ workspace }: Context, documents: readonly DocumentUids[]): Step[] {
  const stepOf = (documentUid: DocumentUid) => ({
    pk: documentDataPartition({ workspace, documentUid }),
    above: afterContent,
  });
  return documents.flatMap(({ documentUid, waitingUids = [] }) => [stepOf(documentUid), ...waitingUids.map(stepOf)]);
}

/** How late the clock of another function can be. */
const clockSkewMs = 60_000;

/** The documents whose migrations were switched after the erasure began. */
function switchedSince({ acceptedAt }: Context, migrations: readonly Migration[]): DocumentUids[] {
  const since = Date.parse(acceptedAt) - clockSkewMs;
  const switched = migrations.filter(({ switchedAt }) => switchedAt !== undefined && Date.parse(switchedAt) >= since);
  return switched.map(({ documentUid, reservedUid }) => ({
    documentUid,
    ...(reservedUid && { waitingUids: [reservedUid] }),
  }));
}

/** One range for each month, which can have several counters. */
function judgmentSteps({ workspace }: Context, counters: readonly Item[]): Step[] {
  const ranges = counters.map((each) => judgmentEntity.range({ workspace, ...judgmentMonthEntity.attributesOf(each) }));
  return [...new Map(ranges.map((range) => [range.pk, range] as const)).values()];
}

/** A pending delivery is logged before it stops being pending, so the log is read last. */
function deliverySteps({ workspace }: Context, endpoints: readonly WebhookEndpoint[]): Step[] {
  const refs = endpoints.map(({ id }) => ({ workspace, endpointId: id }));
  return refs.flatMap((ref) => [loggedEntity.range(ref), pendingEntity.range(ref)]);
}

async function deleteOwn(context: Context, items: readonly Item[]): Promise<Step[]> {
  await removeCounted(
    context,
    items.filter(({ userId }) => context.users.has(String(userId))),
  );
  return [];
}

/** An entry in a list of the document is found by the preference, so the entries are first. */
async function deletePreferences(context: Context, items: readonly Item[]): Promise<Step[]> {
  const own = items.filter(({ userId }) => context.users.has(String(userId)));
  const entries = own.flatMap((item) => descendantsOf(context.workspace, item).items);
  await deletePresent(context, entries);
  return deleteOwn(context, own);
}

/** Deletes the items that exist. */
async function deletePresent(context: Context, keys: readonly Key[]): Promise<Step[]> {
  await removeCounted(
    context,
    (await Table.getMany<Item>(keys)).filter((item) => item !== undefined),
  );
  return [];
}

/** Deletes the content that the users wrote. Rewrites the content of others that names them. */
async function visitContent(context: Context, items: readonly Item[]): Promise<Step[]> {
  const { workspace, users } = context;
  const own = items.filter((item) => users.has(authorOf(item) ?? ""));
  await commitCounted(context, "removed", await featureRemovals({ workspace }, own as (Item & StoredFeature)[]));
  const others = items.filter((item) => !own.includes(item));
  const rewrites = others.map((item) => ({ item, writes: rewriteWithoutUsers({ workspace }, item, users) }));
  await commitCounted(
    context,
    "redacted",
    rewrites.filter(({ writes }) => writes.length > 0),
  );
  const leading = items.filter(
    ({ entity }) => entity === locationNodeEntity.name || entity === notificationEntity.name,
  );
  return leading.flatMap((item) =>
    descendantsOf(workspace, item).partitions.map((pk) => ({ pk, limit: itemsWithoutSteps })),
  );
}

/** The author of feature data; undefined for other items. */
function authorOf({ record }: Item & { record?: string }): string | undefined {
  return record === undefined ? undefined : JSON.parse(record).from?.userId;
}
