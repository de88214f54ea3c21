import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";
import { drain as drainEndpoint } from "../../lib/webhooks/drain-deliveries.ts";

export const drain = worker({
  name: "drain",
  jobs: "drain",
  summary: "Sends a webhook endpoint's deliveries: signs them, keeps the rate limit, retries failed ones.",
  // A slow receiver makes a run long. Runs for other receivers must not wait for it.
  concurrencyMax: 100,
  grants: ["table:read", "table:write", "table:delete", "table:batch", "key:unseal:webhook-secret", "queue:fanout"],
  callsOut: true,

  async run({ workspace, payload }, until) {
    const dueAt = await drainEndpoint({ workspace, endpointId: String(payload.endpointId) }, until);
    if (dueAt === undefined) return "done";
    return { again: { payload, delaySeconds: Math.max(0, Math.ceil((dueAt - Date.now()) / 1_000)) } };
  },
});
export const handler = queueLambda(drain);
