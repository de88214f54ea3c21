// A workspace with an item of every entity. Each of its two organizations has data of the users `ann` and `ben`.

import type { Exported } from "../../infra/admin/activity-log/exported.ts";
import { signRecord } from "../../lib/access/signing-keys.ts";
import { createMissing } from "../../lib/content/existing.ts";
import { segment } from "../../lib/dynamodb/key.ts";
import type { Write } from "../../lib/dynamodb/write.ts";
import { commit, commitEach } from "../../lib/jobs/commit.ts";
import { type FeatureKind, featureKinds } from "../../lib/schema/feature-kinds.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import * as AuthTokenChange from "../../lib/store/access/auth-token-change.ts";
import * as Grant from "../../lib/store/access/grant.ts";
import { providerAnswerEntity } from "../../lib/store/access/provider-answer.ts";
import * as SigningKey from "../../lib/store/access/signing-key.ts";
import { tokenRevocationEntity } from "../../lib/store/access/token-revocation.ts";
import * as User from "../../lib/store/access/user.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";
import { userPropertiesEntity } from "../../lib/store/access/user-properties.ts";
import { activityChainEntity, activityEntity, activityIdEntity } from "../../lib/store/activity/activity.ts";
import { canonicalJson } from "../../lib/store/activity/activity-chain.ts";
import { activityEntryEntity } from "../../lib/store/activity/activity-entry.ts";
import { listedActivityEntity, nameOfList } from "../../lib/store/activity/activity-list.ts";
import * as Agent from "../../lib/store/ai/agent.ts";
import { ingestRunEntity } from "../../lib/store/ai/ingest-run.ts";
import { addJudgments } from "../../lib/store/ai/judgment-changes.ts";
import * as Knowledge from "../../lib/store/ai/knowledge.ts";
import * as Blob from "../../lib/store/blob.ts";
import { callCountEntity } from "../../lib/store/call-count.ts";
import * as Document from "../../lib/store/content/document.ts";
import { documentMetadataEntity } from "../../lib/store/content/document-metadata.ts";
import * as Folder from "../../lib/store/content/folder.ts";
import { locationEntity, locationNodeEntity, mergedLocationEntity } from "../../lib/store/content/location.ts";
import { migrationEntity } from "../../lib/store/content/migration.ts";
import { deletionMarkEntity } from "../../lib/store/content/organization-life.ts";
import { ownerEntity } from "../../lib/store/content/owner.ts";
import { editorContentEntity, editorStatePartEntity } from "../../lib/store/crdt/crdt.ts";
import { editorUpdateEntity } from "../../lib/store/crdt/crdt-updates.ts";
import { domainEntity } from "../../lib/store/domain.ts";
import * as BeingErased from "../../lib/store/erasure/being-erased.ts";
import * as ErasureCount from "../../lib/store/erasure/erasure-count.ts";
import * as Receipt from "../../lib/store/erasure/receipt.ts";
import { featureEntity, formerParticipantsEntity } from "../../lib/store/features/feature.ts";
import { entryOf, featureEntryEntity, featureIdEntity } from "../../lib/store/features/feature-list.ts";
import { participationEntity } from "../../lib/store/features/participation.ts";
import { documentWatcherEntity, organizationWatcherEntity, watching } from "../../lib/store/features/watcher.ts";
import { callStepsEntity, idempotentCallEntity, replyPartEntity } from "../../lib/store/idempotency.ts";
import { newJob } from "../../lib/store/job.ts";
import { listeningEntity } from "../../lib/store/listening.ts";
import { channelPauseEntity } from "../../lib/store/messages/channel-pause.ts";
import { handledEventsEntity } from "../../lib/store/messages/handled-events.ts";
import { messageEntity, messageOfUserEntity } from "../../lib/store/messages/message.ts";
import { addressShareEntity, workspaceCountEntity } from "../../lib/store/messages/message-count.ts";
import { openMessageEntity } from "../../lib/store/messages/open-message.ts";
import { slackUserEntity } from "../../lib/store/messages/slack-user.ts";
import { complainedAddressEntity } from "../../lib/store/messages/suppression.ts";
import { dueMessageEntity, waitingMessageEntity } from "../../lib/store/messages/waiting-message.ts";
import { deletedNotificationEntity } from "../../lib/store/notifications/deleted-notification.ts";
import {
  actedEntryEntity,
  inboxEntryEntity,
  readMarkEntity,
  readUpToEntity,
} from "../../lib/store/notifications/inbox.ts";
import { notificationEntity, notificationPointerEntity } from "../../lib/store/notifications/notification.ts";
import { preferenceEntity } from "../../lib/store/notifications/preference.ts";
import { recipientListEntity } from "../../lib/store/notifications/recipients.ts";
import { presenceEntity } from "../../lib/store/presence.ts";
import {
  type DocumentDataRef,
  type DocumentUid,
  firstFolderUid,
  type LocationUid,
  type OrganizationRef,
  type UserRef,
  type WorkspaceRef,
} from "../../lib/store/refs.ts";
import * as Setting from "../../lib/store/setting.ts";
import { waitingSlotEntity } from "../../lib/store/waiting-slot.ts";
import { loggedEntity, pendingEntity } from "../../lib/store/webhooks/delivery.ts";
import { webhookEndpointEntity } from "../../lib/store/webhooks/webhook-endpoint.ts";
import { webhookRateEntity } from "../../lib/store/webhooks/webhook-rate.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { chainOf } from "./chains.ts";

export const [ann, ben] = ["ann#1", "ben"];
const createdAt = "2026-01-01T00:00:00.000Z";
export const at = createdAt;
/** Later than every test. */
const ttl = 4_000_000_000;

/** The internal id of the furnished document of an organization. */
export const uidIn = (organizationId: string) => `uid-of-${segment(organizationId)}` as DocumentUid;
export const [l1, l2] = ["l1", "l2"] as [LocationUid, LocationUid];

/** The document's data in one organization. */
export type FurnishedRef = DocumentDataRef & OrganizationRef;

/** Stores the workspace. Returns its API key. */
export async function furnish(): Promise<string> {
  const { apiKey: workspace } = await Workspace.create({ name: "furnished" });
  const ref = { workspace };
  await AuthToken.create(ref);
  await Setting.update(ref, "switches", { advancedQueries: true });
  await commit(
    SigningKey.creating(SigningKey.tokenKeys(ref.workspace), { kid: "k", publicJwk: {}, privateSealed: "" }),
  );
  const jws = await signRecord(workspace, "furnished", {});
  await Receipt.add(ref, { jobId: "done", kind: "erasure", progress: { done: 1 }, jws });
  await BeingErased.add(ref, { userIds: ["carl"] }, "failed");
  await commit([ErasureCount.counting({ ...ref, jobId: "failed" }, "removed", [{ entity: "user" }])]);
  await createMissing(ref, [{ organizationId: "o" }, { organizationId: "o#2" }]);
  await addMemory(ref);
  await put([
    ...authTokens(ref),
    ...callsAndRuns(ref),
    ...webhooks(ref),
    deletionMarkEntity.put({ ...ref, organizationId: "gone" }, { organizationId: "gone" }),
    complainedAddressEntity.put({ ...ref, hash: "h" }, { hash: "h", at }),
    workspaceCountEntity.put({ ...ref, day: "2026-01-01" }, { count: 1, ttl: 4_000_000_000 }),
    addressShareEntity.put({ ...ref, day: "2026-01-01", addressHash: "hash" }, { count: 1, ttl: 4_000_000_000 }),
    channelPauseEntity.put({ ...ref, channel: "email" }, { until: 0, failingSince: 0, error: "E" }),
    tokenRevocationEntity.put({ ...ref, userId: "u" }, { revokedAt: 1, ttl: 4_000_000_000 }),
    providerAnswerEntity.put(
      { ...ref, organizationId: "o", userId: "u", documentId: "d" },
      { askedAt: 1, endsAt: 1, ttl: 4_000_000_000 },
    ),
    domainEntity.put({ ...ref, domain: "d" }, { domain: "d", createdAt }),
  ]);
  await Blob.put(ref, "file", Buffer.from("a"));
  for (const organizationId of ["o", "o#2"]) await put(organization({ workspace, organizationId }));
  const job = newJob("migrate", workspace, { organizationId: "o", migrationId: "gone" }, 3_600);
  await commit([], { jobs: [job, newJob("fanout", workspace, { eventsJson: "[]" })] });
  return workspace;
}

async function put(writes: Write[]): Promise<void> {
  await commitEach(writes.map((write) => ({ writes: [write] })));
}

async function addMemory(ref: WorkspaceRef): Promise<void> {
  const source = { sourceId: "s", sourceUid: "uid-of-s", mimeType: "text/plain" };
  await Knowledge.add(ref, source, ["a", "b".repeat(2_000)]);
  await Agent.add(ref, { agentId: "a", name: "A", instructions: "I", createdAt });
  const judgment = { decision: "approved", reasoning: "Good.", actionUser: { userId: "carl" }, createdAt } as const;
  await addJudgments(ref, [
    { ...judgment, recordId: "j#1" },
    { ...judgment, recordId: "j#2", organizationId: "o" },
  ]);
  // A source that was not stored to its end: the process stopped between two chunks.
  const half = { sourceId: "half", sourceUid: "uid-of-half" };
  await put([
    Knowledge.knowledgeSourceEntity.put({ ...ref, ...half }, { ...half, mimeType: "text/plain", createdAt }),
    Knowledge.chunkEntity.put({ ...ref, ...half, index: 0 }, { index: 0, text: "a" }),
  ]);
}

const authTokens = (ref: WorkspaceRef): Write[] => [
  AuthTokenChange.authTokenListEntity.put(ref, { version: 1 }),
  AuthTokenChange.createdTokenEntity.put({ ...ref, creationId: "c" }, { sealed: "s", ttl }),
  AuthTokenChange.revokedTokenEntity.put({ ...ref, tokenId: "t" }, { ttl }),
];

function callsAndRuns(ref: WorkspaceRef): Write[] {
  const fingerprint = "file";
  const run = {
    runId: "r",
    fingerprint,
    state: "completed",
    startedAt: 0,
    mimeType: "text/plain",
    vendorCalls: 1,
  } as const;
  const call = { ...ref, callHash: "c", claimId: "claim" };
  const stored = { bodyHash: "b", claimId: "claim", seed: "s", leaseUntil: 0, ttl, reply: "a", parts: 1 };
  return [
    ingestRunEntity.put({ ...ref, fingerprint }, { ...run, ttl }),
    waitingSlotEntity.put({ ...ref, kind: "extraction", slot: 0 }, { holder: "r", until: 0 }),
    callCountEntity.put(ref, { since: 0, calls: 1 }),
    idempotentCallEntity.put(call, stored),
    replyPartEntity.put({ ...call, index: 0 }, { part: "b", ttl }),
    callStepsEntity.put({ ...call, id: "step" }, { done: '{"step":"done"}', ttl }),
  ];
}

function webhooks(ref: WorkspaceRef): Write[] {
  const id = "w#1";
  const endpoint = { id, url: "https://example.com", disabled: false, createdAt, updatedAt: createdAt, secrets: [] };
  const delivery = { id: "m", endpointId: id, event: "document.add", createdAt, attempts: 0, tries: 0 };
  const logged = { ...delivery, status: "delivered", last: { at, durationMs: 1 }, ttl } as const;
  return [
    webhookEndpointEntity.put({ ...ref, endpointId: id }, endpoint),
    webhookRateEntity.put({ ...ref, endpointId: id }, { nextFree: 0 }),
    pendingEntity.put({ ...ref, ...delivery, dueAt: 0 }, { ...delivery, body: "{}", dueAt: 0 }),
    loggedEntity.put({ ...ref, ...logged }, logged),
  ];
}

function organization(ref: OrganizationRef): Write[] {
  const documentUid = uidIn(ref.organizationId);
  const [reservedUid, leftUid] = ["reserved", "left"].map((each) => `${documentUid}-${each}`) as [
    DocumentUid,
    DocumentUid,
  ];
  const document = { ...ref, documentUid };
  const { organizationId } = ref;
  const migration = {
    migrationId: "m",
    documentId: "d",
    newDocumentId: "e",
    documentUid,
    createdAt,
    updatedAt: createdAt,
  };
  const reserved = { organizationId, documentId: "reserved", documentUid: reservedUid };
  const group = { ...ref, organizationUserGroupId: "g#1", groupUid: "guid" };
  return [
    ...[ann, ben].flatMap((userId) => memberOnList({ ...ref, userId })),
    User.beginGuest({ ...ref, userId: "guest" }, undefined),
    userPropertiesEntity.put({ ...ref, userId: ann, generation: 0 }, { properties: "{}" }),
    ...Folder.creation(ref, { folderId: "f", ancestors: [], createdAt }),
    ...[ann, "guest"].flatMap((userId) => Grant.onFolder({ ...ref, folderUid: firstFolderUid("f") }, viewer(userId))),
    ...Document.creation(ref, { documentId: "d", documentUid, ancestors: ["f"], createdAt }, undefined),
    documentMetadataEntity.put(document, { metadata: "{}" }),
    ...documentData(document),
    ...formerParticipants(document),
    ...activityLog(ref),
    ...messages(document),
    ...[ann, ben].flatMap((userId) => readMarks({ ...document, userId })),
    // A document id that grants have reserved, and a reservation whose grants a migration has not moved yet.
    Document.documentEntity.put({ ...ref, documentId: "reserved" }, reserved),
    Grant.onDocument({ ...ref, documentUid: reservedUid }, viewer(ann)),
    migrationEntity.put({ ...ref, migrationId: "m" }, { ...migration, reservedUid: leftUid, status: "in_progress" }),
    Grant.onDocument({ ...ref, documentUid: leftUid }, viewer(ben)),
    UserGroup.userGroupEntity.put(group, { ...group, createdAt }),
    ...[ann, ben].map((userId) => UserGroup.joining(group, { userId })),
  ];
}

const viewer = (userId: string) => ({ userId, generation: 0, accessRole: "viewer" as const });

const pointerOf = ({ organizationId, documentUid }: FurnishedRef) => ({
  organizationId,
  documentUid,
  at,
  notificationId: "n#1",
});

/** A member who gets all e-mails of the organization, with the entry in its list. */
function memberOnList(ref: UserRef): Write[] {
  const joined = User.change(ref, { profile: { name: ref.userId }, grant: { accessRole: "editor" } }, "new");
  return [
    { ...joined, set: { ...joined.set, notifyEmail: "ALL" } },
    watching(organizationWatcherEntity, { ...ref, channel: "email", generation: 0 }, "ALL"),
  ];
}

/** A log with an activity of each user that names both, one that a client added, and an event that waits. */
function activityLog(ref: OrganizationRef): Write[] {
  const { organizationId } = ref;
  const data = (from: string) => ({ annotationId: "1", from, mentions: [ann, ben] });
  const by = (userId: string) => {
    const texts = { actionUser: JSON.stringify({ userId }), changes: JSON.stringify(data(userId)) };
    return { eventType: "comment.add", documentId: "d", texts };
  };
  const made = [by(ann), by(ben), { ...by(ann), activityId: "a" }];
  const log = chainOf(made, `chain-of-${organizationId}`, organizationId);
  const [last] = log.slice(-1) as [Exported];
  const head = { chain: last.record.chain, sequence: made.length, hash: last.hash, listed: made.length, setting: 0 };
  const waiting = { at, callId: "c", first: 0, nonce: "n" };
  const events = JSON.stringify([{ type: "comment.add", documentId: "d", data: data(ann) }]);
  return [
    activityChainEntity.put(ref, head),
    ...log.flatMap(({ record, hash, texts }, index): Write[] => {
      const { sequence, eventType, documentId } = record;
      const place = { createdAt: at, sequence, place: String(sequence).padStart(12, "0") };
      const actor = [ann, ben][index];
      const lists = actor === undefined ? [] : ([{ by: "time" }, { by: "user", of: actor }] as const);
      const stored = { sequence, record: canonicalJson(record), hash, texts: JSON.stringify(texts) };
      return [
        activityEntity.put({ ...ref, sequence }, stored),
        ...lists.map((list) => {
          const name = { ...ref, ...place, listName: nameOfList(list) };
          return listedActivityEntity.put(name, { sequence, documentId, eventType });
        }),
      ];
    }),
    activityIdEntity.put({ ...ref, activityId: "a" }, { sequence: made.length }),
    activityEntryEntity.put({ ...ref, ...waiting }, { ...waiting, events }),
  ];
}

/** What waits for each user, about an event that the other one caused, and a message that was sent. */
function messages(ref: FurnishedRef): Write[] {
  const { workspace, organizationId, documentUid } = ref;
  return [ann, ben].flatMap((userId): Write[] => {
    const conversation = { organizationId, documentUid, userId };
    const queue = { workspace, channel: "email", shard: 0 } as const;
    const origin = `origin-of-${segment(organizationId)}`;
    const messageId = `mes-${segment(organizationId)}-${segment(userId)}`;
    const actorId = userId === ann ? ben : ann;
    const waiting = { ...conversation, generation: 0, event: "comment.add", at, origin, actorId, dueAt: 0 };
    const open = { ...conversation, messageId, events: [], attempts: 0, claim: "c", claimedUntil: 0 };
    const told = { ...conversation, messageId, lastAt: at, origins: [origin], ttl };
    const message = { ...conversation, messageId, events: [], createdAt: at, attempts: 1, ttl };
    return [
      waitingMessageEntity.put({ ...queue, ...waiting }, waiting),
      dueMessageEntity.put({ ...queue, ...waiting }, waiting),
      openMessageEntity.put({ ...queue, ...open }, open),
      handledEventsEntity.put({ ...queue, ...told }, told),
      messageEntity.put({ workspace, messageId }, { ...message, channel: "email", state: "sent" }),
      messageOfUserEntity.put({ ...ref, userId, messageId }, { messageId, ttl }),
      slackUserEntity.put({ ...ref, userId }, { lookup: "l", slackUserId: "U1", ttl }),
    ];
  });
}

/** Items of every entity that a document's data can have, from both users. */
export function documentData(ref: FurnishedRef): Write[] {
  const { organizationId, documentUid } = ref;
  const note = pointerOf(ref);
  const content = JSON.stringify({ actionUser: { userId: ann, name: "Ann" }, notifyUsers: [{ userId: ben }] });
  const counters = { partCount: 1, sizeBytes: 1, usedBytes: 2, waiting: 1 };
  const life = { generation: "0", base: "b", createdAt, updatedAt: createdAt };
  const editor = { editorId: "editor", type: "text", contentKey: "k", ...life, ...counters } as const;
  const state = Buffer.from("a");
  const location = { documentUid, size: 1, rev: "r" };
  return [
    ownerEntity.put(ref, { organizationId, documentId: "d" }),
    ...[ann, ben].flatMap((userId): Write[] => [
      Grant.onDocument(ref, viewer(userId)),
      preferenceEntity.put({ ...ref, userId }, { userId, generation: 0, email: "ALL" }),
      watching(documentWatcherEntity, { ...ref, channel: "email", userId, generation: 0 }, "ALL"),
      presenceEntity.put({ ...ref, userId }, { userId, updatedAt: at, ttl }),
      inboxEntryEntity.put({ ...ref, ...note, userId }, { ...note, userId, characters: content.length }),
      deletedNotificationEntity.put({ ...ref, ...note, userId, generation: 0 }, { userId, generation: 0 }),
    ]),
    listeningEntity.put(ref, { seq: 1 }),
    editorContentEntity.put({ ...ref, editorId: "editor" }, editor),
    editorStatePartEntity.put(
      { ...ref, editorId: "editor", generation: "0", base: "b", part: 0 },
      { state, base: "b" },
    ),
    editorUpdateEntity.put({ ...ref, editorId: "editor", generation: "0", updateId: "u" }, { bytes: state, at: 0 }),
    locationEntity.put({ ...ref, identity: "here" }, { locationUid: l1, size: 2 }),
    ...[l1, l2].map((locationUid) => locationNodeEntity.put({ ...ref, locationUid }, { ...location, locationUid })),
    mergedLocationEntity.put({ ...ref, locationUid: l1, mergedUid: l2 }, { documentUid, locationUid: l2, size: 1 }),
    ...featureKinds.flatMap((kind) => [...feature(ref, l1, kind, ann, "1"), ...feature(ref, l2, kind, ben, "2")]),
    notificationEntity.put({ ...ref, ...note }, { ...note, documentId: "d", content }),
    notificationPointerEntity.put({ ...ref, ...note }, note),
    actedEntryEntity.put({ ...ref, ...note, userId: ann }, { ...note, userId: ann }),
    recipientListEntity.put({ ...ref, ...note, listHash: "named" }, { ...note, userIds: [ann, ben] }),
  ];
}

/** An item of feature data by the user `by`, with both users as participants. */
function feature(ref: FurnishedRef, locationUid: LocationUid, kind: FeatureKind, by: string, id: string): Write[] {
  const { organizationId, documentUid } = ref;
  const name = { documentUid, locationUid, kind, id };
  const replies = [ann, ben].map((userId) => ({ from: { userId, name: userId }, text: `by ${userId}` }));
  const record = JSON.stringify({
    id,
    from: { userId: by, name: by },
    assignedTo: { userId: ann, name: "Ann" },
    comments: replies,
  });
  const written = { position: at, writtenAt: at, rev: "r" };
  const item = { ...name, ...written, organizationId, at, participants: [ann, ben], record };
  return [
    featureEntity.put({ ...ref, ...name }, item),
    featureEntryEntity.put({ ...ref, ...name, position: at }, entryOf(item)),
    featureIdEntity.put({ ...ref, ...name }, { id, locationUid, position: at }),
    ...[ann, ben].map((userId) => participationEntity.put({ ...ref, ...name, at, userId }, name)),
  ];
}

/** The entry of a former participant that is not deleted yet, with the list that points to it. */
function formerParticipants(ref: FurnishedRef): Write[] {
  const { organizationId, documentUid } = ref;
  const name = { documentUid, locationUid: l1, kind: "comments", id: "former" } as const;
  return [
    formerParticipantsEntity.put({ ...ref, ...name }, { ...name, organizationId, at, participants: [ann] }),
    participationEntity.put({ ...ref, ...name, at, userId: ann }, name),
  ];
}

function readMarks({ userId, ...ref }: FurnishedRef & { userId: string }): Write[] {
  const note = { ...pointerOf(ref), userId };
  return [readMarkEntity.put({ ...ref, ...note }, note), readUpToEntity.put({ ...ref, userId }, { at })];
}
