import * as z from "zod/mini";
import { requireOrganization } from "../../lib/content/existing.ts";
import { beginErasure } from "../../lib/erasure/begin.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { JobId, RealUserId } from "../../lib/schema/fields.ts";
import { distinct, Id, listOf, optional } from "../../lib/schema/primitives.ts";

export const usersDataDelete = endpoint({
  name: "users-data-delete",
  path: "/v2/users/data/delete",
  summary: "Erase users",
  description:
    "Erase users, known or not, from one organization or from all: their access, their data, and their names and ids " +
    "in the data of others. The erasure runs in the background: jobs/status shows the job, and then its signed receipt.",
  grants: ["table:read", "table:write", "key:seal:erasure-task", "queue:purge"],
  data: z.object({
    userIds: listOf(RealUserId, 100).check(z.describe("The users to erase. They need not be known.")),
    organizationId: optional(Id).check(z.describe("Absent: all organizations of the workspace.")),
  }),
  example: { organizationId: "acme", userIds: ["carol"] },
  reply: z.object({ jobId: JobId }),
  message: "Erasure begun.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    if (organizationId !== undefined) await requireOrganization({ workspace, organizationId });
    return { jobId: await beginErasure(workspace, { userIds: distinct(data.userIds), organizationId }) };
  },
});
export const handler = lambda(usersDataDelete);
