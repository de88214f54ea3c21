// The wire shape of the activity-log configuration.
import * as z from "zod/mini";
import { ActivityTriggers } from "./triggers.ts";

/** The reply of the get and the update endpoint. A workspace that never set it has only `isEnabled`. */
export const ActivityConfig = z.object({
  activityServiceConfig: z.object({
    isEnabled: z.boolean(),
    immutable: z.optional(z.boolean()),
    triggers: z.optional(ActivityTriggers),
  }),
});
