// The wire shape of the activity-log configuration.
import * as z from "zod/mini";
import { ActivityTriggers } from "./triggers.ts";

/** The reply of the get and the update endpoint. A workspace that never set it has only `isEnabled`. */
export const ActivityConfig = z.object({
  activityServiceConfig: z
    .object({
      isEnabled: z.boolean().check(z.describe("Whether events are recorded and activities can be added.")),
      immutable: z.optional(z.boolean()).check(z.describe("Whether activities can neither be updated nor deleted.")),
      triggers: z.optional(ActivityTriggers),
    })
    .check(z.describe("The configuration.")),
});
