// Every entity of the table, with the function that returns the descendants of an item. The purge and the data
// dictionary use this list. A test compares it with the entities that the files declare.
import * as authToken from "./access/auth-token.ts";
import * as authTokenChange from "./access/auth-token-change.ts";
import * as grant from "./access/grant.ts";
import { folderGranteeEntity } from "./access/grant.ts";
import { providerAnswerEntity } from "./access/provider-answer.ts";
import * as signingKey from "./access/signing-key.ts";
import { tokenRevocationEntity } from "./access/token-revocation.ts";
import * as user from "./access/user.ts";
import { userDescendants } from "./access/user-data.ts";
import * as userGroup from "./access/user-group.ts";
import { userPropertiesEntity } from "./access/user-properties.ts";
import * as activity from "./activity/activity.ts";
import { activityEntryEntity } from "./activity/activity-entry.ts";
import { activityDescendants, listedActivityEntity } from "./activity/activity-list.ts";
import * as clientActivity from "./activity/client-activity.ts";
import * as agent from "./ai/agent.ts";
import * as ingestRun from "./ai/ingest-run.ts";
import * as judgment from "./ai/judgment.ts";
import * as judgmentMonth from "./ai/judgment-month.ts";
import * as knowledge from "./ai/knowledge.ts";
import { callCountEntity } from "./call-count.ts";
import * as document from "./content/document.ts";
import { documentMetadataEntity } from "./content/document-metadata.ts";
import * as folder from "./content/folder.ts";
import * as folderChild from "./content/folder-child.ts";
import * as location from "./content/location.ts";
import * as migration from "./content/migration.ts";
import * as organization from "./content/organization.ts";
import { deletionMarkEntity, organizationEntity } from "./content/organization-life.ts";
import * as owner from "./content/owner.ts";
import * as crdt from "./crdt/crdt.ts";
import { editorUpdateEntity } from "./crdt/crdt-updates.ts";
import * as domain from "./domain.ts";
import { beingErasedEntity } from "./erasure/being-erased.ts";
import { erasureCountEntity } from "./erasure/erasure-count.ts";
import { receiptEntity } from "./erasure/receipt.ts";
import * as feature from "./features/feature.ts";
import * as featureList from "./features/feature-list.ts";
import * as participation from "./features/participation.ts";
import { documentWatcherEntity, organizationWatcherEntity } from "./features/watcher.ts";
import { formatEntity } from "./format.ts";
import * as idempotency from "./idempotency.ts";
import { jobEntity } from "./job.ts";
import { type ListedEntity, listed } from "./listed-entity.ts";
import { listeningEntity } from "./listening.ts";
import { addressKeyEntity } from "./messages/address-hash.ts";
import { channelPauseEntity } from "./messages/channel-pause.ts";
import { handledEventsEntity } from "./messages/handled-events.ts";
import * as message from "./messages/message.ts";
import { addressCountEntity, addressShareEntity, workspaceCountEntity } from "./messages/message-count.ts";
import { openMessageEntity } from "./messages/open-message.ts";
import { slackUserEntity } from "./messages/slack-user.ts";
import { bouncedAddressEntity, complainedAddressEntity } from "./messages/suppression.ts";
import { dueMessageEntity, waitingMessageEntity } from "./messages/waiting-message.ts";
import { deletedNotificationEntity } from "./notifications/deleted-notification.ts";
import * as inbox from "./notifications/inbox.ts";
import * as notification from "./notifications/notification.ts";
import * as preference from "./notifications/preference.ts";
import * as recipients from "./notifications/recipients.ts";
import * as presence from "./presence.ts";
import * as setting from "./setting.ts";
import * as waitingSlot from "./waiting-slot.ts";
import * as delivery from "./webhooks/delivery.ts";
import * as webhookEndpoint from "./webhooks/webhook-endpoint.ts";
import * as webhookRate from "./webhooks/webhook-rate.ts";
import * as workspace from "./workspace.ts";

export const entities: readonly ListedEntity[] = [
  listed("Format number of the table", formatEntity),
  listed("Workspace", workspace.workspaceEntity),
  listed(
    "Calls of a workspace, all its users or a user since the token bucket (the limit) was last full",
    callCountEntity,
  ),
  listed("What the permission provider has answered about a user and a document", providerAnswerEntity),
  listed("List entry of a workspace", workspace.workspaceEntryEntity),
  listed(`Setting: ${setting.settingNames.join(", ")}`, setting.settingEntity),
  listed("Signing key; its private half is sealed", signingKey.signingKeyEntity),
  listed("Records key; its private half is sealed", signingKey.recordsKeyEntity),
  listed("Public half of a records key, also of a former one", signingKey.publicRecordsKeyEntity),
  listed("User who is being erased, with the jobs that do it", beingErasedEntity),
  listed("Number of items that an erasure has removed or redacted, until it is done", erasureCountEntity),
  listed("Receipt of a job that is done", receiptEntity),
  listed("SHA-256 of an auth token", authToken.authTokenEntity),
  listed("Counter of the changes to the list of auth tokens", authTokenChange.authTokenListEntity),
  listed(
    "Auth token that a call with an Idempotency-Key created; it is sealed for the repeated call",
    authTokenChange.createdTokenEntity,
  ),
  listed("Mark of an auth token that was revoked in the last day", authTokenChange.revokedTokenEntity),
  listed("Key of the hashes of e-mail addresses, sealed, for the whole deployment", addressKeyEntity),
  listed("Address where mail bounced permanently, as a hash, for the whole deployment", bouncedAddressEntity),
  listed("Address whose user has complained about mail of the workspace, as a hash", complainedAddressEntity),
  listed("When the tokens of a user were revoked last", tokenRevocationEntity),
  listed("Allowed domain", domain.domainEntity),
  listed("Webhook endpoint; its secrets are sealed", webhookEndpoint.webhookEndpointEntity, ({ workspace, id }) =>
    delivery.endpointDescendants({ workspace, endpointId: id }),
  ),
  listed("When the next delivery to a webhook endpoint may start", webhookRate.webhookRateEntity),
  listed("Pending delivery, sorted by the time when it is due", delivery.pendingEntity),
  listed("Attempted delivery", delivery.loggedEntity),
  listed("Organization", organizationEntity),
  listed("List entry of an organization", organization.organizationEntryEntity, organization.organizationDescendants),
  listed("User: profile, organization grant, preferences, generation", user.userEntity, userDescendants),
  listed("Slack user that was found for a user", slackUserEntity),
  listed("Further fields of a user, as JSON", userPropertiesEntity),
  listed("User group", userGroup.userGroupEntity, userGroup.userGroupDescendants),
  listed("Member of a user group", userGroup.groupMemberEntity),
  listed(
    "Folder, with its ancestors. Without `createdAt`: what is left of a deleted folder, with the internal id for the next folder of this id",
    folder.folderEntity,
    folder.folderDescendants,
  ),
  listed("A document (`D`) or folder (`F`) directly in a folder", folderChild.childEntity),
  listed(
    "Document: points to its internal id. Without `createdAt`, the id is only reserved",
    document.documentEntity,
    document.documentDescendants,
  ),
  listed("An organization that has a document of this id", document.locatorEntity),
  listed("Migration of a document to a new id", migration.migrationEntity, migration.migrationDescendants),
  listed("Document that now has this internal id", owner.ownerEntity),
  listed("Grant on a folder", grant.folderGrantEntity, grant.folderGrantDescendants),
  listed("User with a grant on this folder", folderGranteeEntity),
  listed("Grant on a document", grant.documentGrantEntity),
  listed("Location: its identity points to its internal id", location.locationEntity),
  listed(
    "Location: its object, or the location that it was merged into",
    location.locationNodeEntity,
    location.locationNodeDescendants,
  ),
  listed(
    "Location that was merged into the one of this partition",
    location.mergedLocationEntity,
    location.mergedLocationDescendants,
  ),
  listed(
    "Feature data: a comment annotation, reaction or recording",
    feature.featureEntity,
    feature.featureDescendants,
  ),
  listed(
    "Former participants of feature data, until their `participation` is deleted",
    feature.formerParticipantsEntity,
    feature.formerParticipantsDescendants,
  ),
  listed(
    "Feature data in the list of a document and kind, with the fields of its filters",
    featureList.featureEntryEntity,
  ),
  listed("Id of feature data, unique in its document and kind: its location", featureList.featureIdEntity),
  listed("Feature data in the list of a participant: points to the item", participation.participationEntity),
  listed(
    "Notification preferences of a user on a document",
    preference.preferenceEntity,
    preference.preferenceDescendants,
  ),
  listed("Metadata of a document, as JSON", documentMetadataEntity),
  listed("Presence of a user on a document", presence.presenceEntity),
  listed("Number of live messages about a document", listeningEntity),
  listed("Editor", crdt.editorContentEntity, crdt.editorDescendants),
  listed("Part of an editor's content, which is a Yjs update", crdt.editorStatePartEntity),
  listed("Yjs update of an editor that is not merged into its content yet", editorUpdateEntity),
  listed(
    "Notification, once for all its recipients",
    notification.notificationEntity,
    notification.notificationDescendants,
  ),
  listed(
    "Id of a notification, unique in its organization: points to the notification",
    notification.notificationPointerEntity,
  ),
  listed(
    "Recipients of a notification; one list for each step",
    recipients.recipientListEntity,
    recipients.recipientListDescendants,
  ),
  listed("Mark that a user has deleted a notification", deletedNotificationEntity),
  listed("Notification in a user's inbox: points to the notification", inbox.inboxEntryEntity),
  listed("Notification that the user has read", inbox.readMarkEntity),
  listed("Notification that the user caused: points to the notification", inbox.actedEntryEntity),
  listed("Time until which the user has read all notifications", inbox.readUpToEntity),
  listed("User who gets messages about everything on a document", documentWatcherEntity),
  listed("User who gets messages about everything in an organization", organizationWatcherEntity),
  listed("Event that waits to be sent to a user by e-mail or Slack", waitingMessageEntity),
  listed("Time when the waiting messages for a user about a document are sent", dueMessageEntity),
  listed("Events of a message that is being sent or waits for its next attempt", openMessageEntity),
  listed("Events that a message contained, or that were moved to the digest", handledEventsEntity),
  listed("Pause of a channel whose provider does not work", channelPauseEntity),
  listed("Messages to an address on a day beyond the shares of workspaces", addressCountEntity),
  listed("Messages of a workspace to an address on a day, up to its share", addressShareEntity),
  listed("Messages of a workspace on a day", workspaceCountEntity),
  listed("E-mail or Slack message, without its text", message.messageEntity),
  listed("Message to a user: points to the message", message.messageOfUserEntity, message.messageOfUserDescendants),
  listed("Events and changes that wait for the activity log", activityEntryEntity, clientActivity.entryDescendants),
  listed("Last record of an organization's activity log", activity.activityChainEntity),
  listed("Record of the activity log, with its texts", activity.activityEntity, activityDescendants),
  listed("Activity of a client: waits for its record, then points to it", activity.activityIdEntity),
  listed("Activity in a list: of all activities, or of a document, user or event type", listedActivityEntity),
  listed("Mark in the list of months with judgments: this organization is being deleted", deletionMarkEntity),
  listed("Judgment of the memory", judgment.judgmentEntity, judgment.judgmentDescendants),
  listed("Record id of a judgment: points to the judgment", judgment.judgmentRecordEntity),
  listed(
    "Counter of the writes to a month that has judgments",
    judgmentMonth.judgmentMonthEntity,
    judgmentMonth.judgmentMonthDescendants,
  ),
  listed("Records that changed in one version of a counter", judgmentMonth.judgmentChangeEntity),
  listed("Agent", agent.agentEntity),
  listed(
    "Knowledge source; its chunks are under its internal id",
    knowledge.knowledgeSourceEntity,
    knowledge.knowledgeSourceDescendants,
  ),
  listed("Chunk of a knowledge source", knowledge.chunkEntity),
  listed("Run of an extraction, by file, type and provider", ingestRun.ingestRunEntity),
  listed("Slot of a call or job that waits for others, with its lease", waitingSlot.waitingSlotEntity),
  listed("Call with an Idempotency-Key, with its sealed reply", idempotency.idempotentCallEntity),
  listed("Steps that a call with an Idempotency-Key has done, for its repeats", idempotency.callStepsEntity),
  listed("Further part of a stored reply above 350 KB", idempotency.replyPartEntity),
  listed("Job; it is in the index `sweep` until it is done", jobEntity),
];
