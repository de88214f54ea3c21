import { fanOut } from "../../lib/webhooks/fan-out.ts";
import { worker } from "../../lib/worker.ts";
import { queueLambda } from "../../lib/worker-lambda.ts";

export const fanout = worker({
  name: "fanout",
  jobs: "fanout",
  summary: "Turns events into deliveries, one for each webhook endpoint that wants them.",
  grants: ["table:read", "table:write", "table:batch", "queue:fanout", "queue:drain"],

  async run(job, until) {
    const rest = await fanOut(job, until);
    return rest ? { again: { payload: { ...rest }, delaySeconds: 0 } } : "done";
  },
});
export const handler = queueLambda(fanout);
