import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";
import { type FanOut, fanOut } from "../../lib/notifications/fan-out.ts";

export const notify = worker({
  name: "notify",
  jobs: "notify",
  summary: "Gives a notification to each user who is to have it.",
  grants: ["table:read", "table:write", "table:batch", "key:unseal", "queue:notify"],

  async run({ workspace, payload }, until) {
    const left = await fanOut(workspace, payload as unknown as FanOut, until);
    return left ? { again: { payload: { ...left }, delaySeconds: 0 } } : "done";
  },
});
export const handler = queueLambda(notify);
