// The deletion of an organization: its beginning, its end, and the lists of its data. The organization's item and its
// mark stay until the end, and hide everything (`organization-life.ts`).
import type { Write } from "../../dynamodb/write.ts";
import { rangeOf } from "../ai/judgment-month.ts";
import { knowledgeSourceEntity } from "../ai/knowledge.ts";
import { queuePartition, queuesOf } from "../messages/waiting-message.ts";
import type { OrganizationRef } from "../refs.ts";
import { organizationDescendants, organizationEntryEntity } from "./organization.ts";
import { deletionMarkEntity, type Organization, organizationEntity } from "./organization-life.ts";

/**
 * The items of a partition, or only items whose sort keys have a prefix. `except`: the sort key of an item that stays.
 * `of`: only items of this organization.
 */
export interface DeletedRange {
  pk: string;
  beginsWith?: string;
  between?: readonly [string, string];
  except?: string;
  of?: string;
}

/** The writes that begin the deletion. The condition fails when the organization has changed since it was read. */
export function beginning(ref: OrganizationRef, organization: Organization, deletionJobId: string): Write[] {
  const { organizationId, organizationUid, revision } = organization;
  const set = { deletionJobId, revision: (revision ?? 0) + 1 };
  return [
    organizationEntity.update(ref, { set }, { organizationUid, revision, deletionJobId: undefined }),
    deletionMarkEntity.put(ref, { organizationId }),
  ];
}

/** The writes after which the id is free. The condition fails when the job has ended before. */
export function ending({ workspace, organizationId }: OrganizationRef, deletionJobId: string): Write[] {
  const ref = { workspace, organizationId };
  return [
    organizationEntity.delete(ref, { deletionJobId }),
    organizationEntryEntity.delete(ref),
    deletionMarkEntity.delete(ref),
  ];
}

/** All lists of an organization's data. Their items lead to the rest. */
export function rangesOf(organization: OrganizationRef): DeletedRange[] {
  const { pk, sk } = organizationEntity.key(organization);
  const partitions = organizationDescendants(organization).partitions ?? [];
  return [
    ...partitions.map((each) => ({ pk: each, ...(each === pk && { except: sk }) })),
    { ...rangeOf(organization), except: deletionMarkEntity.key(organization).sk },
    { pk: knowledgeSourceEntity.partition(organization), of: organization.organizationId },
    ...queuesOf(organization).map((queue) => ({ pk: queuePartition(queue), of: organization.organizationId })),
  ];
}
