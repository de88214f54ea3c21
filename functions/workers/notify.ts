import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";
import { type NotifyPayload, notifyRecipients } from "../../lib/notifications/notify-recipients.ts";

export const notify = worker({
  name: "notify",
  jobs: "notify",
  summary: "Gives a notification to each of its recipients.",
  grants: ["table:read", "table:write", "table:batch", "key:unseal", "queue:notify"],

  async run({ workspace, payload }, until) {
    const left = await notifyRecipients(workspace, payload as unknown as NotifyPayload, until);
    return left ? { again: { payload: { ...left }, delaySeconds: 0 } } : "done";
  },
});
export const handler = queueLambda(notify);
