import * as z from "zod/mini";
import { activityChanges, activityConfigOf, recordedBy } from "../../lib/activity/config.ts";
import { wakeLogsJob } from "../../lib/activity/wake-logs.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { wake } from "../../lib/jobs/wake.ts";
import { ActivityConfig } from "../../lib/schema/activity.ts";
import { mustBeObject } from "../../lib/schema/messages.ts";
import { Flag, optional } from "../../lib/schema/primitives.ts";
import { ActivityTriggers } from "../../lib/schema/triggers.ts";
import * as Setting from "../../lib/store/setting.ts";

export const activityconfigUpdate = endpoint({
  name: "activityconfig-update",
  path: "/v2/workspace/activityconfig/update",
  summary: "Update the activity-log configuration",
  description:
    "Update the activity-log configuration; omitted fields keep their values. Every log of the workspace records each change, as activity.configure.",
  settings: ["activity"],
  grants: ["table:read", "table:write", "queue:activity"],
  errors: ["FAILED_PRECONDITION"],
  data: z.object({
    activityServiceConfig: z
      .object(
        {
          isEnabled: optional(
            Flag.check(z.describe("true: events of organizations are recorded, and calls can add activities.")),
          ),
          immutable: optional(
            Flag.check(
              z.describe(
                "true: no call updates or deletes an activity, or has the log record less. Only an operator can unset it.",
              ),
            ),
          ),
          triggers: optional(ActivityTriggers),
        },
        mustBeObject,
      )
      .check(z.describe("The configuration.")),
  }),
  example: { activityServiceConfig: { isEnabled: true, triggers: { presence: { added: false, deleted: false } } } },
  reply: ActivityConfig,
  message: "Activity configuration updated.",

  async handle({ data, caller }) {
    const known = await caller.setting("activity");
    const decide = (stored: Setting.ActivitySetting) => activityChanges(stored, data.activityServiceConfig);
    const setting = await Setting.change(caller.ref, "activity", known, decide, recordedBy);
    if (setting.changesJson !== undefined) await wake([wakeLogsJob(caller.ref)]);
    return activityConfigOf(setting);
  },
});
export const handler = lambda(activityconfigUpdate);
