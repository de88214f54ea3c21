import * as z from "zod/mini";
import { requireMutable } from "../../lib/activity/may-change.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { ActivityConfig } from "../../lib/schema/activity.ts";
import { mustBeObject } from "../../lib/schema/messages.ts";
import { Flag, optional } from "../../lib/schema/primitives.ts";
import { ActivityTriggers } from "../../lib/schema/triggers.ts";
import * as Setting from "../../lib/store/setting.ts";
import { activityConfigOf, mergedTriggers, recordedBy } from "../../lib/workspace/activity-config.ts";

export const activityconfigUpdate = endpoint({
  name: "activityconfig-update",
  path: "/v2/workspace/activityconfig/update",
  group: "activity-log",
  summary: "Update the activity-log configuration",
  description: "Update the activity-log configuration; omitted fields keep their values.",
  settings: ["activity"],
  grants: ["table:read", "table:write"],
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
                "true: no call updates or deletes an activity. Only an operator can unset it, and every log of the workspace records that.",
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
    const { isEnabled, immutable, triggers } = data.activityServiceConfig;
    const known = await caller.setting("activity");
    const decide = (stored: Setting.ActivitySetting) => {
      if (immutable === false) requireMutable(stored);
      return changed(stored);
    };
    const changed = (stored: Setting.ActivitySetting) => ({
      ...(isEnabled !== undefined && { isEnabled }),
      ...(immutable !== undefined && { immutable }),
      ...(triggers && { triggersJson: mergedTriggers(stored, triggers) }),
    });
    const setting = await Setting.change(caller.ref, "activity", known, decide, recordedBy);
    return activityConfigOf(setting);
  },
});
export const handler = lambda(activityconfigUpdate);
