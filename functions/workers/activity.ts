import { appendActivities } from "../../lib/activity/append.ts";
import { wakeLogs } from "../../lib/activity/wake-logs.ts";
import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";

export const activity = worker({
  name: "activity",
  jobs: "activity",
  summary: "Writes an organization's activity log: appends events that are older than 15 s, in their order.",
  grants: ["table:read", "table:write", "table:delete", "table:batch"],

  run: (job, until) => (job.payload.organizationId === undefined ? wakeLogs(job) : appendActivities(job, until)),
});
export const handler = queueLambda(activity);
