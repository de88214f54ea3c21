// The steps of a pass over a workspace or an organization. The last one is taken first.
import { documentEntity } from "../store/document.ts";
import * as JudgmentMonth from "../store/judgment-month.ts";
import { migrationEntity } from "../store/migration.ts";
import { organizationEntryEntity } from "../store/organization.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { userGroupEntity } from "../store/user-group.ts";
import { webhookEndpointEntity } from "../store/webhook-endpoint.ts";
import type { Context, Step } from "./context.ts";

/** The deliveries come last: meanwhile, those of earlier events end. */
export function rootSteps({ workspace, organizationId }: Context): Step[] {
  const ref = { workspace };
  const ofWorkspace: Step[] = [webhookEndpointEntity.range(ref), { outbox: true }];
  if (organizationId !== undefined) {
    const organization = { workspace, organizationId };
    return [...ofWorkspace, JudgmentMonth.rangeOf(organization), ...organizationSteps(organization)];
  }
  const organizations = organizationEntryEntity.partitions(ref).map((pk) => ({ pk }));
  return [...ofWorkspace, JudgmentMonth.judgmentMonthEntity.range(ref), ...organizations];
}

/**
 * The users' own data, documents, user groups and migrations. The migrations are read after all documents: one that was
 * switched meanwhile may have moved its document from a shard that was not read yet to one that was.
 */
export function organizationSteps(organization: OrganizationRef): Step[] {
  const documents = documentEntity.partitions(organization).map((pk) => ({ pk }));
  const content = [migrationEntity.range(organization), userGroupEntity.range(organization), ...documents];
  return [{ end: true }, ...content, { lives: organization.organizationId, from: 0 }];
}
