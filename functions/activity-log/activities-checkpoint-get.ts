import * as z from "zod/mini";
import { signRecord } from "../../lib/access/signing-keys.ts";
import { checkpointType } from "../../lib/activity/checkpoint.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { ApiError } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import * as Activity from "../../lib/store/activity/activity.ts";

export const activitiesCheckpointGet = endpoint({
  name: "activities-checkpoint-get",
  path: "/v2/activities/checkpoint/get",
  summary: "Get a signed checkpoint",
  description:
    "Get a signed checkpoint of an organization's activity log: its number of records and its last hash. Records are written some seconds after their calls. Before the first, it fails with FAILED_PRECONDITION.",
  grants: ["table:read", "table:write", "key:seal:records-key", "key:unseal:records-key"],
  errors: ["FAILED_PRECONDITION"],
  data: z.object({ organizationId: OrganizationId }),
  reply: z.object({
    checkpoint: z.string().check(z.describe("A JWS. Verify it with the keys of /.well-known/jwks/{apiKey}/records.")),
  }),
  message: "Checkpoint signed.",

  /** See DECISIONS.md#records-keys. */
  async handle({ data: { organizationId }, caller: { workspace } }) {
    const organization = { workspace, organizationId };
    const [head] = await Promise.all([Activity.head(organization), requireOrganization(organization)]);
    if (!head) throw new ApiError("FAILED_PRECONDITION", "The activity log of this organization has no records.");
    const { chain, sequence, hash } = head;
    const record = { chain, organizationId, sequence, hash, at: new Date().toISOString() };
    return { checkpoint: await signRecord(workspace, checkpointType, record) };
  },
});
export const handler = lambda(activitiesCheckpointGet);
