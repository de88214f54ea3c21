// The activity-log configuration on the wire.
import * as z from "zod/mini";

/** As both endpoints answer it; where nothing was ever set, it has `isEnabled` alone. */
export const ActivityConfig = z.object({
  activityServiceConfig: z.object({
    isEnabled: z.boolean(),
    immutable: z.optional(z.boolean()),
    triggers: z.optional(z.record(z.string(), z.record(z.string(), z.boolean()))),
  }),
});
