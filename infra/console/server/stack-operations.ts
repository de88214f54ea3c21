import type { Keys } from "./keys.ts";
import type { Operations } from "./operations.ts";

/** What AWS knows of a stack. Its mails are not stored: messages/get shows what became of them. */
export function stackOperations(stack: string, { apiKey }: Keys): Operations {
  return {
    metrics: async (minutes) => (await import("./operations/stack-metrics.ts")).stackMetrics(stack)(minutes),
    jobs: {
      list: async (state) => (await import("./operations/jobs.ts")).listJobs(apiKey, state),
      retry: async (id) => (await import("./operations/jobs.ts")).retryJob(apiKey, id),
    },
    settings: async () => (await import("./operations/settings.ts")).stackSettings(stack),
    activities: async (id) => (await import("./operations/activities.ts")).exportedActivities(apiKey, id),
  };
}
