import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";
import { notifyRecipients } from "../../lib/notify/notify-recipients.ts";

export const notify = worker({
  name: "notify",
  jobs: "notify",
  summary: "Writes a notification into the inbox of each recipient, and adds its e-mails and Slack messages.",
  grants: [
    "table:read",
    "table:write",
    "table:batch",
    "queue:message",
    "live:publish",
    "key:unseal:permission-provider",
  ],
  callsOut: true,
  // One job in an invocation, so that no job waits for another workspace's slow permission provider or large fan-out. A
  // workspace has at most three such jobs at a time.
  batchSize: 1,
  concurrencyMax: 100,

  run: notifyRecipients,
});
export const handler = queueLambda(notify);
