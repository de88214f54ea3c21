import { logsToAppend } from "../../lib/activity/append-job.ts";
import { wake } from "../../lib/jobs/wake.ts";
import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";
import { fanOutMessages } from "../../lib/messages/fan-out-messages.ts";
import { fanOutEvents } from "../../lib/webhooks/fan-out-deliveries.ts";

/** The results of an event: webhook deliveries, the activity log, and messages to people. */
export const fanout = worker({
  name: "fanout",
  jobs: "fanout",
  summary:
    "Turns events into deliveries, one for each webhook endpoint that wants the event, and wakes the activity log.",
  // The worker computes hashes and JSON. Lambda assigns CPU in proportion, so twice the memory halves the time of a run.
  memoryMb: 1_024,
  grants: ["table:read", "table:write", "table:batch", "queue:drain", "queue:activity", "queue:message"],

  async run(job, until) {
    const deliveries = await fanOutEvents(job, until);
    await wake([...deliveries.drains, ...logsToAppend(job)]);
    const rest = deliveries.rest ?? (await fanOutMessages(job, until));
    return rest ? { again: { payload: { ...rest }, delaySeconds: 0 } } : "done";
  },
});
export const handler = queueLambda(fanout);
