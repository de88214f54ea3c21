import * as z from "zod/mini";
import { noteCaused } from "../../lib/call.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { newId } from "../../lib/new-id.ts";
import { EndpointId } from "../../lib/schema/fields.ts";
import { EndpointName } from "../../lib/schema/webhooks.ts";
import * as Delivery from "../../lib/store/webhooks/delivery.ts";
import { deliveryOf } from "../../lib/webhooks/delivery-body.ts";
import { wakeJob } from "../../lib/webhooks/endpoint-jobs.ts";
import { existingEndpoint } from "../../lib/webhooks/endpoint-record.ts";

export const webhookTest = endpoint({
  name: "webhook-test",
  path: "/v2/workspace/advancedwebhook/endpoints/test",
  summary: "Send a test event",
  description: "Send the event webhook_endpoint.test to an advanced webhook endpoint, regardless of its filters.",
  needs: ["advancedWebhooks"],
  grants: ["table:read", "table:write", "queue:fanout"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: EndpointName,
  reply: z.object({
    endpointId: EndpointId,
    webhookId: z.string().check(z.describe("The id of the message that is sent. deliveries/get shows it.")),
  }),
  message: "Test event queued.",

  async handle({ data: { endpointId }, caller: { workspace } }) {
    const ref = { workspace, endpointId };
    await existingEndpoint(ref);
    const event = { type: "webhook_endpoint.test", workspace, organizationId: "", data: { endpointId } } as const;
    const delivery = deliveryOf(event, new Date().toISOString(), newId(), endpointId);
    await commit([Delivery.adding(ref, delivery)], { jobs: [wakeJob(workspace, [endpointId])] });
    noteCaused("deliveries", `${endpointId}/${delivery.id}`);
    return { endpointId, webhookId: delivery.id };
  },
});
export const handler = lambda(webhookTest);
