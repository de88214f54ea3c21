import * as z from "zod/mini";
import { requireMutable } from "../../lib/activity/config.ts";
import { deleteActivities } from "../../lib/activity/edit-activities.ts";
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
    return byId(
      wanted.map((id) => [
        id,
        outcomes.get(id) === "done" ? done(id, "Deleted.") : failed(id, "not-found", "The activity does not exist."),
      ]),
    );
  },
});
export const handler = lambda(activitiesDelete);
