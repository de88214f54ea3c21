import * as z from "zod/mini";
import { addActivities } from "../../lib/activity/add-activities.ts";
import { requireEnabled } from "../../lib/activity/config.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { NewActivity } from "../../lib/schema/activity-log.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { listOf } from "../../lib/schema/primitives.ts";

export const activitiesAdd = endpoint({
  name: "activities-add",
  path: "/v2/activities/add",
  summary: "Add activities",
  description: "Add your own activities to an organization's activity log. They are readable at once.",
  settings: ["activity"],
  grants: ["table:read", "table:write", "queue:fanout"],
  errors: ["FAILED_PRECONDITION"],
  data: z.object({
    organizationId: OrganizationId,
    activities: listOf(NewActivity).check(z.describe("The activities to add.")),
  }),
  example: {
    organizationId: "acme",
    activities: [
      {
        activityId: "export-7",
        documentId: "plan",
        actionUser: { userId: "alice", name: "Alice Meyer" },
        eventType: "plan.exported",
        displayMessage: "Alice exported the plan.",
        changes: { format: "pdf" },
        metadata: { pages: 12 },
        createdAt: "2026-01-31T12:00:00Z",
      },
    ],
  },
  reply: z.object({ activities: z.array(ItemResult).check(z.describe("In the order of the request.")) }),
  timeoutSeconds: 25,
  message: "Activities added.",

  async handle({ data, caller }) {
    const organization = { workspace: caller.workspace, organizationId: data.organizationId };
    const [setting] = await Promise.all([caller.setting("activity"), requireOrganization(organization)]);
    requireEnabled(setting);
    const { ids, outcomes } = await addActivities(organization, data.activities);
    const results = ids.map((id) =>
      outcomes.get(id) === "added"
        ? done(id, "Added.")
        : failed(id, "already-exists", "The log has, or had, an activity with this id."),
    );
    return { activities: results };
  },
});
export const handler = lambda(activitiesAdd);
