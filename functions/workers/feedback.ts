import { eventLambda } from "../../lib/jobs/lambda.ts";
import { eventWorker } from "../../lib/jobs/worker.ts";
import { takeFeedback } from "../../lib/messages/email/feedback.ts";

export const feedback = eventWorker({
  name: "feedback",
  queue: "feedback",
  summary: "Takes bounces and complaints of SES, and ends mail to their addresses.",
  grants: ["table:read", "table:write", "key:seal:address-hash", "key:unseal:address-hash"],

  take: takeFeedback,
});
export const handler = eventLambda(feedback);
