// Erases the users from one page of items. Returns the steps below the items.
import { isDeepStrictEqual } from "node:util";
import { descendantsOf } from "../deletion/purge.ts";
import { redacted } from "../deletion/redact.ts";
import type { Item, Key } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { tellDocuments } from "../live/announce.ts";
import { erasedUserId } from "../schema/fields.ts";
import { documentGrantEntity } from "../store/access/grant.ts";
import { generationOf, type User, userEntity } from "../store/access/user.ts";
import { groupMemberEntity, type UserGroup, userGroupEntity } from "../store/access/user-group.ts";
import { userPropertiesEntity } from "../store/access/user-properties.ts";
import { activityEntity } from "../store/activity/activity.ts";
import { judgmentEntity } from "../store/ai/judgment.ts";
import { judgmentMonthEntity } from "../store/ai/judgment-month.ts";
import { type Document, documentEntity } from "../store/content/document.ts";
import { type Migration, migrationEntity } from "../store/content/migration.ts";
import { organizationEntryEntity } from "../store/content/organization.ts";
import { deletionMarkEntity } from "../store/content/organization-life.ts";
import { handledEventsEntity } from "../store/messages/handled-events.ts";
import { openMessageEntity } from "../store/messages/open-message.ts";
import { dueMessageEntity, type WaitingMessage, waitingMessageEntity } from "../store/messages/waiting-message.ts";
import { deletedNotificationEntity } from "../store/notifications/deleted-notification.ts";
import { preferenceEntity } from "../store/notifications/preference.ts";
import { presenceEntity } from "../store/presence.ts";
import { type DocumentUid, documentDataPartition } from "../store/refs.ts";
import { loggedEntity, pendingEntity } from "../store/webhooks/delivery.ts";
import { type WebhookEndpoint, webhookEndpointEntity } from "../store/webhooks/webhook-endpoint.ts";
import type { Context, Step } from "./context.ts";
import { commitCounted, counting, removeCounted } from "./counted.ts";
import { eraseFromActivities } from "./erase-from-activities.ts";
import { eraseFromContent } from "./erase-from-content.ts";
import { eraseFromDeliveries } from "./erase-from-deliveries.ts";
import { eraseUsersFromJudgments } from "./erase-from-judgments.ts";
import { organizationSteps } from "./steps.ts";

export async function visit(context: Context, items: readonly Item[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const [entity, some] of Map.groupBy(items, (item) => String(item.entity))) {
    steps.push(...((await (visitors[entity] ?? eraseFromContent)(context, some)) ?? []));
  }
  return steps;
}

/** How to erase from an item, by entity. All other items are content. */
const visitors: Record<string, (context: Context, items: Item[]) => Promise<Step[] | undefined>> = {
  [organizationEntryEntity.name]: async ({ workspace }, items) =>
    items.flatMap((item) => organizationSteps({ workspace, organizationId: String(item.organizationId) })),
  [userGroupEntity.name]: (context, items) => deletePresent(context, membershipsOf(context, items)),
  [documentEntity.name]: async (context, items) => {
    // Each pass tells the pages before it erases. The last pass finds nothing to erase, so they then read the final state.
    await tellDocuments(context, items as (Item & Document)[]);
    return documentSteps(context, items as (Item & Document)[]);
  },
  [migrationEntity.name]: async (context, items) =>
    documentSteps(context, switchedSince(context, items as (Item & Migration)[])),
  [documentGrantEntity.name]: deleteOwn,
  [preferenceEntity.name]: deletePreferences,
  [presenceEntity.name]: eraseFromPresences,
  [userEntity.name]: eraseFromProperties,
  [deletedNotificationEntity.name]: deleteOwn,
  [deletionMarkEntity.name]: async () => [],
  [judgmentMonthEntity.name]: async (context, items) => judgmentSteps(context, items),
  [judgmentEntity.name]: async (context, items) => {
    await eraseUsersFromJudgments(context, items, context.users, (some) => counting(context, "redacted", some));
    return [];
  },
  [webhookEndpointEntity.name]: async (context, items) => {
    // An endpoint is not about one organization.
    if (context.organizationId === undefined) await eraseFromContent(context, items);
    return deliverySteps(context, items as (Item & WebhookEndpoint)[]);
  },
  [pendingEntity.name]: eraseFromDeliveries,
  [loggedEntity.name]: eraseFromDeliveries,
  [activityEntity.name]: eraseFromActivities,
  [waitingMessageEntity.name]: eraseFromMessages,
  [dueMessageEntity.name]: eraseFromMessages,
  [openMessageEntity.name]: eraseFromMessages,
  [handledEventsEntity.name]: eraseFromMessages,
};

function membershipsOf({ workspace, userIds }: Context, groups: readonly Item[]): Key[] {
  const refs = groups.map((group) => ({ workspace, ...userGroupEntity.attributesOf(group as Item & UserGroup) }));
  return refs.flatMap((ref) => userIds.map((userId) => groupMemberEntity.key({ ...ref, userId })));
}

type DocumentUids = Pick<Document, "documentUid" | "waitingUids">;

/**
 * Two parts of a document's data sort before this key, and are skipped: the content of its editors, and the lists of
 * its feature data. The content can be large. The lists are rewritten with their items.
 */
const afterContent = "FEATURE-ID$";

/**
 * One range for each document. The grants that wait for a migration are read first. A grant that moves between the
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

/** The entry of another user can name the users in its metadata. */
async function eraseFromPresences(context: Context, items: readonly Item[]): Promise<Step[]> {
  await deleteOwn(context, items);
  return eraseFromContent(
    context,
    items.filter(({ userId }) => !context.users.has(String(userId))),
  );
}

/** The properties of other users, which are stored apart. */
async function eraseFromProperties(context: Context, items: readonly Item[]): Promise<Step[]> {
  const { workspace, users } = context;
  const others = (items as (Item & User & { organizationId: string })[]).filter(
    ({ userId, hasProperties }) => hasProperties && !users.has(userId),
  );
  const keys = others.map((user) => userPropertiesEntity.key({ workspace, ...user, generation: generationOf(user) }));
  const found = (await Table.getMany<Item>(keys)).filter((item) => item !== undefined);
  return eraseFromContent(context, found);
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

type QueuedItem = Item & Pick<WaitingMessage, "organizationId" | "userId" | "actorId" | "value">;

/** Waiting messages to other users stay, without the users as actors and assignees. */
async function eraseFromMessages(context: Context, items: readonly Item[]): Promise<Step[]> {
  const { users, organizationId } = context;
  const about = (items as QueuedItem[]).filter(
    (item) => organizationId === undefined || item.organizationId === organizationId,
  );
  const own = about.filter(({ userId }) => users.has(userId));
  await removeCounted(context, own);
  const units = about.flatMap((item) => {
    const { pk, sk, actorId, value } = item;
    const isActor = actorId !== undefined && users.has(actorId);
    const without = redacted(value, users);
    if (own.includes(item) || (!isActor && isDeepStrictEqual(value, without))) return [];
    const set = { ...(isActor && { actorId: erasedUserId }), ...(value !== undefined && { value: without }) };
    const asRead = { actorId, value };
    return [{ item, writes: [{ update: { pk, sk }, set, if: asRead }] }];
  });
  await commitCounted(context, "redacted", units);
  return [];
}
