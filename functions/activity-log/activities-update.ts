import * as z from "zod/mini";
import { requireMutable } from "../../lib/activity/config.ts";
import { type Edited, ofLog, updateActivities } from "../../lib/activity/edit-activities.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { ActivityUpdate } from "../../lib/schema/activity-log.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { listOf } from "../../lib/schema/primitives.ts";

export const activitiesUpdate = endpoint({
  name: "activities-update",
  path: "/v2/activities/update",
  summary: "Update activities",
  description: "Replace texts of activities. The log records each update, and forgets the former texts.",
  settings: ["activity"],
  grants: ["table:read", "table:write", "queue:fanout"],
  errors: ["FAILED_PRECONDITION"],
  data: z.object({
    organizationId: OrganizationId,
    activities: listOf(ActivityUpdate).check(z.describe("The changes, one for each activity.")),
  }),
  example: {
    organizationId: "acme",
    activities: [
      { activityId: "export-7", displayMessage: "Alice exported the plan as PDF.", metadata: { pages: 13 } },
    ],
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Activities updated.",

  async handle({ data, caller }) {
    const organization = { workspace: caller.workspace, organizationId: data.organizationId };
    const [setting] = await Promise.all([caller.setting("activity"), requireOrganization(organization)]);
    requireMutable(setting);
    const updates = distinctBy(data.activities, ({ activityId }) => activityId);
    const outcomes = await updateActivities(organization, updates);
    return byId(updates.map(({ activityId: id }) => [id, resultOf(id, outcomes.get(id))]));
  },
});
export const handler = lambda(activitiesUpdate);

function resultOf(id: string, outcome: Edited | undefined): ItemResult {
  if (outcome === "done") return done(id, "Updated.");
  if (outcome === "beyond-limit") return failed(id, outcome, "The texts of the activity would be too large together.");
  if (outcome === "of-log") return failed(id, "immutable", ofLog);
  return failed(id, "not-found", "The activity does not exist.");
}
