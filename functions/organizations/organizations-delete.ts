import * as z from "zod/mini";
import { beginDeletion } from "../../lib/deletion/delete-organization.ts";
import { noOrganization } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { JobId, OrganizationId } from "../../lib/schema/fields.ts";

export const organizationsDelete = endpoint({
  name: "organizations-delete",
  path: "/v2/organizations/delete",
  summary: "Delete an organization",
  description:
    "Delete an organization with all its data. From the reply on, no call finds it. Its id can be added again when the job is done.",
  grants: ["table:read", "table:write", "queue:purge"],
  events: ["organization.delete"],
  data: z.object({ organizationId: OrganizationId }),
  example: { organizationId: "acme-trial" },
  reply: z.object({ jobId: JobId }),
  message: "The organization is being deleted.",

  async handle({ data: { organizationId }, caller: { workspace } }) {
    const jobId = await beginDeletion({ workspace, organizationId });
    if (jobId === undefined) throw noOrganization();
    return { jobId };
  },
});
export const handler = lambda(organizationsDelete);
