import * as z from "zod/mini";
import { activityConfigOf } from "../../lib/activity/config.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { ActivityConfig } from "../../lib/schema/activity.ts";

export const activityconfigGet = endpoint({
  name: "activityconfig-get",
  path: "/v2/workspace/activityconfig/get",
  contract: 13,
  summary: "Get the activity-log configuration",
  settings: ["activity"],
  grants: ["table:read"],
  data: z.object({}),
  reply: ActivityConfig,
  message: "Activity configuration retrieved.",

  async handle({ caller }) {
    return activityConfigOf(await caller.setting("activity"));
  },
});
export const handler = readLambda(activityconfigGet);
