import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";
import { fanOutMessages } from "../../lib/messages/fan-out-events.ts";
import { fanOutEvents } from "../../lib/webhooks/fan-out-events.ts";

export const fanout = worker({
  name: "fanout",
  jobs: "fanout",
  summary:
    "Turns events into deliveries, one for each webhook endpoint that wants the event, and wakes the activity log.",
  // The worker computes hashes and JSON. Lambda assigns CPU in proportion, so twice the memory halves the time of a run.
  memoryMb: 1_024,
  grants: ["table:read", "table:write", "table:batch", "queue:drain", "queue:activity", "queue:message"],

  async run(job, until) {
    const rest = (await fanOutEvents(job, until)) ?? (await fanOutMessages(job, until));
    return rest ? { again: { payload: { ...rest }, delaySeconds: 0 } } : "done";
  },
});
export const handler = queueLambda(fanout);
