import * as z from "zod/mini";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { noOrganization } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { OrganizationId, OrganizationName } from "../../lib/schema/fields.ts";
import * as Organization from "../../lib/store/content/organization.ts";

export const organizationsUpdate = endpoint({
  name: "organizations-update",
  path: "/v2/organizations/update",
  summary: "Update an organization",
  description: "Update the name of an organization.",
  grants: ["table:read", "table:write"],
  events: ["organization.update"],
  data: z.object({ organizationId: OrganizationId, organizationName: OrganizationName }),
  example: { organizationId: "acme", organizationName: "Acme Ltd" },
  reply: z.object({ organizationId: OrganizationId, organizationName: OrganizationName }),
  message: "Organization updated.",

  async handle({ data: { organizationId, organizationName: name }, caller: { workspace } }) {
    await retryOnConflict("organization", async () => {
      const [organization] = await Organization.getMany({ workspace }, [organizationId]);
      if (!organization) throw noOrganization();
      if (organization.name === name) return;
      const isUpdated = await commit([Organization.change({ workspace }, organization, { name })], {
        events: [{ type: "organization.update", workspace, organizationId, data: { organizationId } }],
      });
      return isUpdated ? undefined : conflict;
    });
    return { organizationId, organizationName: name };
  },
});
export const handler = lambda(organizationsUpdate);
