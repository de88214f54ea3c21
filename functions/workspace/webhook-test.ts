import * as z from "zod/mini";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { EndpointName } from "../../lib/schema/webhooks.ts";
import { sendTest } from "../../lib/webhooks/send-test.ts";

export const webhookTest = endpoint({
  name: "webhook-test",
  path: "/v2/workspace/advancedwebhook/endpoints/test",
  group: "workspace",
  summary: "Send a test event",
  description: "Send the event webhook_endpoint.test to an advanced webhook endpoint, regardless of its filters.",
  needs: ["advancedWebhooks"],
  grants: ["table:read", "table:write", "queue:fanout"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: EndpointName,
  example: { endpointId: "endpoint-1" },
  reply: z.object({ endpointId: z.string(), webhookId: z.string() }),
  message: "Test event queued.",

  async handle({ data: { endpointId }, caller: { workspace } }) {
    return { endpointId, webhookId: await sendTest({ workspace, endpointId }) };
  },
});
export const handler = lambda(webhookTest);
