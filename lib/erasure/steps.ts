// The steps of a pass over a workspace or an organization. The last one is taken first.
import { userEntity } from "../store/access/user.ts";
import { userGroupEntity } from "../store/access/user-group.ts";
import { activityEntity } from "../store/activity/activity.ts";
import * as JudgmentMonth from "../store/ai/judgment-month.ts";
import { documentEntity } from "../store/content/document.ts";
import { migrationEntity } from "../store/content/migration.ts";
import { organizationEntryEntity } from "../store/content/organization.ts";
import { queuePartition, queuesOf } from "../store/messages/waiting-message.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { webhookEndpointEntity } from "../store/webhooks/webhook-endpoint.ts";
import type { Context, Step } from "./context.ts";

/** Most items in a page if they lead to no further steps: the job stores nothing for them. */
export const itemsWithoutSteps = 250;

/** End the users' access before the first pass: that pass can wait for another erasure. */
export const accessSteps = ({ workspace }: Context): Step[] =>
  organizationEntryEntity.partitions({ workspace }).map((pk) => ({ access: { pk } }));

/** The deliveries and messages come last: many of those that wait now are sent by then. */
export function rootSteps({ workspace, organizationId }: Context): Step[] {
  const ref = { workspace };
  const queues = queuesOf(ref).map((queue) => ({ pk: queuePartition(queue), limit: itemsWithoutSteps }));
  const ofWorkspace: Step[] = [webhookEndpointEntity.range(ref), ...queues, { outbox: true }];
  if (organizationId !== undefined) {
    const organization = { workspace, organizationId };
    return [...ofWorkspace, JudgmentMonth.rangeOf(organization), ...organizationSteps(organization)];
  }
  const organizations = organizationEntryEntity.partitions(ref).map((pk) => ({ pk }));
  return [...ofWorkspace, JudgmentMonth.judgmentMonthEntity.range(ref), ...organizations];
}

/**
 * In this order, the last step first: what waits for the activity log, since it adds to the users' own lists; the users'
 * own data, the log, documents, the other users' properties, user groups and migrations. The migrations are read after all documents: one that was
 * switched meanwhile may have moved its document from a shard that was not read yet to one that was.
 */
export function organizationSteps(organization: OrganizationRef): Step[] {
  const documents = documentEntity.partitions(organization).map((pk) => ({ pk }));
  const users = userEntity.partitions(organization).map((pk) => ({ pk, limit: itemsWithoutSteps }));
  const content = [migrationEntity.range(organization), userGroupEntity.range(organization), ...users, ...documents];
  const { organizationId } = organization;
  const activities = { ...activityEntity.range(organization), limit: itemsWithoutSteps };
  return [{ end: true }, ...content, activities, { lives: organizationId, from: 0 }, { log: organizationId }];
}
