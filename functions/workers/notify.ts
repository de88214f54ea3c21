import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";
import { notifyRecipients } from "../../lib/notifications/notify-recipients.ts";

export const notify = worker({
  name: "notify",
  jobs: "notify",
  summary: "Writes a notification into the inbox of each recipient.",
  grants: ["table:read", "table:write", "table:batch", "key:unseal:permission-provider"],
  callsOut: true,

  run: notifyRecipients,
});
export const handler = queueLambda(notify);
