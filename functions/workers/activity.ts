import { appendActivities } from "../../lib/activity/append.ts";
import { worker } from "../../lib/jobs/worker.ts";
import { queueLambda } from "../../lib/jobs/worker-lambda.ts";

export const activity = worker({
  name: "activity",
  jobs: "activity",
  summary: "Writes an organization's activity log: appends events that are older than 15 s, in their order.",
  grants: ["table:read", "table:write", "table:delete", "table:batch"],

  run: appendActivities,
});
export const handler = queueLambda(activity);
