// Every entity of the table, with the function that names the descendants of its items. The purge and the data
// dictionary go by this list; a test compares it with what the entity files declare.
import type { Entity } from "../dynamodb/entity.ts";
import { jobEntity } from "../jobs/job.ts";
import * as agent from "./agent.ts";
import * as authToken from "./auth-token.ts";
import * as crdt from "./crdt.ts";
import * as delivery from "./delivery.ts";
import type { Descendants } from "./descendants.ts";
import * as document from "./document.ts";
import * as domain from "./domain.ts";
import * as feature from "./feature.ts";
import * as folder from "./folder.ts";
import { formatEntity } from "./format.ts";
import * as grant from "./grant.ts";
import * as idempotency from "./idempotency.ts";
import * as inbox from "./inbox.ts";
import * as ingestRun from "./ingest-run.ts";
import * as judgment from "./judgment.ts";
import * as judgmentMonth from "./judgment-month.ts";
import * as knowledge from "./knowledge.ts";
import * as location from "./location.ts";
import * as migration from "./migration.ts";
import * as notification from "./notification.ts";
import * as organization from "./organization.ts";
import * as owner from "./owner.ts";
import * as participation from "./participation.ts";
import * as preference from "./preference.ts";
import * as presence from "./presence.ts";
import * as recipients from "./recipients.ts";
import type { WorkspaceRef } from "./refs.ts";
import * as setting from "./setting.ts";
import * as signingKey from "./signing-key.ts";
import * as user from "./user.ts";
import { userDescendants } from "./user-data.ts";
import * as userGroup from "./user-group.ts";
import * as webhookEndpoint from "./webhook-endpoint.ts";
import * as webhookRate from "./webhook-rate.ts";
import * as workspace from "./workspace.ts";

export interface ListedEntity {
  name: string;
  about: string;
  attributes: string[];
  /** The key that the entity builds from these names, for the data dictionary. */
  keyOf(ref: object): { pk: string; sk: string };
  isSharded: boolean;
  descendantsOf(item: object): Descendants;
}

/** An entity as the list shows it: its types end here, since the table's items are read untyped. */
function listed<PartitionRef, SortRef, Attributes extends object>(
  { name, about, spec }: Entity<PartitionRef, SortRef, Attributes>,
  descendants?: (item: Attributes & WorkspaceRef) => Descendants,
): ListedEntity {
  return {
    name,
    about,
    attributes: Object.keys(spec.attributes),
    keyOf: (ref) => ({
      pk: spec.pk(ref as PartitionRef, shardPlaceholder),
      sk: (spec.prefix ?? "") + spec.sk(ref as SortRef),
    }),
    isSharded: spec.shardBy !== undefined,
    descendantsOf: (item) => descendants?.(item as Attributes & WorkspaceRef) ?? {},
  };
}

/** Stands where a sharded key has its shard's number. */
const shardPlaceholder = "{0-15}" as unknown as number;

export const entities: readonly ListedEntity[] = [
  listed(formatEntity),
  listed(workspace.workspaceEntity),
  listed(workspace.workspaceEntryEntity),
  listed(setting.settingEntity),
  listed(signingKey.signingKeyEntity),
  listed(authToken.authTokenEntity),
  listed(domain.domainEntity),
  listed(webhookEndpoint.webhookEndpointEntity, ({ workspace, id }) =>
    delivery.endpointDescendants({ workspace, endpointId: id }),
  ),
  listed(webhookRate.webhookRateEntity),
  listed(delivery.pendingEntity),
  listed(delivery.loggedEntity),
  listed(organization.organizationEntity),
  listed(organization.organizationEntryEntity, organization.organizationDescendants),
  listed(user.userEntity, userDescendants),
  listed(userGroup.userGroupEntity, userGroup.userGroupDescendants),
  listed(userGroup.groupMemberEntity),
  listed(folder.folderEntity, folder.folderDescendants),
  listed(folder.childEntity),
  listed(document.documentEntity, document.documentDescendants),
  listed(document.locatorEntity),
  listed(migration.migrationEntity, migration.migrationDescendants),
  listed(owner.ownerEntity),
  listed(grant.folderGrantEntity),
  listed(grant.documentGrantEntity),
  listed(location.locationEntity),
  listed(location.locationNodeEntity, location.locationNodeDescendants),
  listed(location.mergedLocationEntity, location.mergedLocationDescendants),
  listed(feature.featureEntity, feature.featureDescendants),
  listed(feature.formerParticipantsEntity, feature.featureDescendants),
  listed(participation.participationEntity),
  listed(preference.preferenceEntity),
  listed(presence.presenceEntity),
  listed(crdt.editorContentEntity),
  listed(crdt.editorContentPartEntity),
  listed(notification.notificationEntity, notification.notificationDescendants),
  listed(notification.notificationPointerEntity),
  listed(recipients.recipientListEntity, recipients.recipientListDescendants),
  listed(inbox.inboxEntryEntity),
  listed(inbox.readMarkEntity),
  listed(inbox.readUpToEntity),
  listed(judgment.judgmentEntity, judgment.judgmentDescendants),
  listed(judgment.judgmentRecordEntity),
  listed(judgmentMonth.judgmentMonthEntity, judgmentMonth.judgmentMonthDescendants),
  listed(judgmentMonth.judgmentChangeEntity),
  listed(agent.agentEntity),
  listed(knowledge.knowledgeSourceEntity, knowledge.knowledgeSourceDescendants),
  listed(knowledge.chunkEntity),
  listed(ingestRun.ingestRunEntity),
  listed(idempotency.idempotentCallEntity),
  listed(idempotency.replyPartEntity),
  listed(jobEntity),
];
