import * as z from "zod/mini";
import { requireMutable } from "../../lib/activity/config.ts";
import { deleteActivities, type Edited, ofLog } from "../../lib/activity/edit-activities.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, ids } from "../../lib/schema/primitives.ts";

export const activitiesDelete = endpoint({
  name: "activities-delete",
  path: "/v2/activities/delete",
  summary: "Delete activities",
  description: "Delete activities. The chain keeps their records without texts, and records each deletion.",
  settings: ["activity"],
  grants: ["table:read", "table:write", "table:delete", "queue:fanout"],
  errors: ["FAILED_PRECONDITION"],
  data: z.object({ organizationId: OrganizationId, activityIds: ids().check(z.describe("The activities to delete.")) }),
  example: { organizationId: "acme", activityIds: ["export-7"] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Activities deleted.",

  async handle({ data, caller }) {
    const organization = { workspace: caller.workspace, organizationId: data.organizationId };
    const [setting] = await Promise.all([caller.setting("activity"), requireOrganization(organization)]);
    requireMutable(setting);
    const wanted = distinct(data.activityIds);
    const outcomes = await deleteActivities(organization, wanted);
    return byId(wanted.map((id) => [id, resultOf(id, outcomes.get(id))]));
  },
});
export const handler = lambda(activitiesDelete);

function resultOf(id: string, outcome: Edited | undefined): ItemResult {
  if (outcome === "done") return done(id, "Deleted.");
  if (outcome === "of-log") return failed(id, "immutable", ofLog);
  return failed(id, "not-found", "The activity does not exist.");
}
