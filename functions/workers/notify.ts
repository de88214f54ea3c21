import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";
import { notifyRecipients } from "../../lib/notifications/notify-recipients.ts";
import type { NotifyPayload } from "../../lib/notifications/notify-run.ts";

export const notify = worker({
  name: "notify",
  jobs: "notify",
  // A slow permission provider makes a run long. The notifications of other workspaces must not wait for it.
  concurrencyMax: 100,
  summary: "Writes a notification into the inbox of each recipient.",
  grants: ["table:read", "table:write", "table:batch", "key:unseal:permission-provider"],
  callsOut: true,

  run: ({ workspace, payload }, until) => notifyRecipients(workspace, payload as unknown as NotifyPayload, until),
});
export const handler = queueLambda(notify);
