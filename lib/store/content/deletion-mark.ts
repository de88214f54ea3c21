// A mark in the list of months with judgments: their organization is being deleted. A search of the whole workspace
// reads this list, but no organization's item. So it needs no further read to leave out the months of this
// organization.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { type OrganizationRef, type WorkspaceRef, workspacePartition } from "../refs.ts";

/** Before the first month of its organization, so a search that does not read all months finds it too. */
export const deletionMarkEntity = entity<Pick<OrganizationRef, "organizationId">>()({
  name: "deletion-mark",
  attributes: { organizationId: true },
  pk: ({ workspace }: WorkspaceRef) => `${workspacePartition({ workspace })}#JD`,
  sk: ({ organizationId }: { organizationId: string }) => `${segment(organizationId)}#!`,
});
