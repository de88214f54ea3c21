// Jobs that delete the data behind a deletion: a call only hides it.
import { config } from "../config.ts";
import type { Key } from "../dynamodb/key.ts";
import { messageChannels } from "../schema/message-channels.ts";
import { providerAnswerEntity } from "../store/access/provider-answer.ts";
import { publicRecordsKeyEntity } from "../store/access/signing-key.ts";
import { agentEntity } from "../store/ai/agent.ts";
import { ingestRunEntity } from "../store/ai/ingest-run.ts";
import { judgmentMonthEntity } from "../store/ai/judgment-month.ts";
import { knowledgeSourceEntity } from "../store/ai/knowledge.ts";
import { callCountEntity } from "../store/call-count.ts";
import { organizationEntryEntity } from "../store/content/organization.ts";
import { beingErasedEntity } from "../store/erasure/being-erased.ts";
import { erasureCountEntity } from "../store/erasure/erasure-count.ts";
import { receiptEntity } from "../store/erasure/receipt.ts";
import { idempotentCallEntity } from "../store/idempotency.ts";
import { type Job, newJob } from "../store/job.ts";
import { channelPauseEntity } from "../store/messages/channel-pause.ts";
import { messageEntity } from "../store/messages/message.ts";
import { workspaceCountEntity } from "../store/messages/message-count.ts";
import { complainedAddressEntity } from "../store/messages/suppression.ts";
import { queuePartition, queuesOf } from "../store/messages/waiting-message.ts";
import { type FolderDataRef, type UserLifeRef, workspacePartition } from "../store/refs.ts";
import { waitingSlotEntity } from "../store/waiting-slot.ts";
import { webhookEndpointEntity } from "../store/webhooks/webhook-endpoint.ts";

/**
 * The job that empties partitions, with the descendants of their items. It starts after in-flight calls end: a pass
 * deletes pointers to child partitions, and later writes there would be orphaned. By then, no container caches the
 * credentials of a deleted workspace. `unless`: the key of an item that must not exist. If it exists, the partitions
 * belong to a later life of the same id.
 */
export function purgeJob(workspace: string, partitions: readonly string[], unless?: Key): Job {
  return newJob("purge", workspace, { partitions, ...(unless && { unless }) }, config.purgeStartSeconds());
}

/** A folder that is deleted, in the payload of a job. */
export type DeletedFolder = Pick<FolderDataRef, "organizationId" | "folderUid"> & { folderId: string };

/** A life of a user that has ended, in the payload of a job. */
export type EndedUserLife = Omit<UserLifeRef, "workspace">;

/** The job that deletes the data of ended generations of users. */
export function userPurgeJob(workspace: string, lives: readonly UserLifeRef[]): Job {
  const users = lives.map(({ organizationId, userId, generation }) => ({ organizationId, userId, generation }));
  return newJob("purge", workspace, { users }, config.purgeStartSeconds());
}

/** The job that deletes the grants on deleted folders, and entries that in-flight calls still write to their lists. */
export function folderPurgeJob(workspace: string, folders: readonly DeletedFolder[]): Job {
  return newJob("purge", workspace, { folders }, config.purgeStartSeconds());
}

/** The job that deletes all data of a workspace, with its jobs and files. */
export function workspacePurgeJob(workspace: string): Job {
  const ref = { workspace };
  const lists = [
    callCountEntity,
    providerAnswerEntity,
    waitingSlotEntity,
    organizationEntryEntity,
    webhookEndpointEntity,
    idempotentCallEntity,
    ingestRunEntity,
    judgmentMonthEntity,
    knowledgeSourceEntity,
    agentEntity,
    publicRecordsKeyEntity,
    complainedAddressEntity,
    beingErasedEntity,
    erasureCountEntity,
    receiptEntity,
  ];
  const partitions = [
    ...lists.flatMap((list) => list.partitions(ref)),
    ...queuesOf(ref).map(queuePartition),
    ...messageChannels.map((channel) => channelPauseEntity.partition({ ...ref, channel })),
    messageEntity.partition(ref),
    workspaceCountEntity.partition(ref),
    workspacePartition(ref),
  ];
  return newJob("purge", workspace, { partitions, withJobs: true }, config.purgeStartSeconds());
}
