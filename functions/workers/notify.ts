import { worker } from "../../lib/jobs/worker.ts";
import { queueLambda } from "../../lib/jobs/worker-lambda.ts";
import { notifyRecipients } from "../../lib/notify/notify-recipients.ts";

export const notify = worker({
  name: "notify",
  jobs: "notify",
  summary: "Writes a notification into the inbox of each recipient, and adds its e-mails and Slack messages.",
  grants: ["table:read", "table:write", "table:batch", "queue:message", "key:unseal:permission-provider"],
  callsOut: true,
  // One job, so that nobody waits for a slow permission provider or a large fan-out of others. Of those, a workspace has
  // at most three at a time.
  batchSize: 1,
  concurrencyMax: 100,

  run: notifyRecipients,
});
export const handler = queueLambda(notify);
