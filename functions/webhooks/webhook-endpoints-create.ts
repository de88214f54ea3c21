import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { Id, optional } from "../../lib/schema/primitives.ts";
import { WebhookRecord, webhookFields } from "../../lib/schema/webhooks.ts";
import { createEndpoint } from "../../lib/webhooks/configure.ts";
import { webhookRecord, withoutFragment } from "../../lib/webhooks/endpoint-record.ts";

export const webhookEndpointsCreate = endpoint({
  name: "webhook-endpoints-create",
  path: "/v2/workspace/advancedwebhook/endpoints/create",
  summary: "Create a webhook endpoint",
  description:
    "Create an advanced webhook endpoint. Without filterTypes it receives all types, without channels all channels.",
  needs: ["advancedWebhooks"],
  settings: ["webhooks"],
  grants: ["table:read", "table:write", "key:seal:webhook-secret"],
  errors: ["FAILED_PRECONDITION", "RESOURCE_EXHAUSTED"],
  data: z.object({
    ...webhookFields,
    uid: optional(Id).check(z.describe("Your own id for the endpoint. It is only stored.")),
  }),
  example: {
    url: "https://example.com/webhooks",
    description: "Billing",
    filterTypes: ["document.add", "comment.add"],
    channels: ["organization:acme"],
    rateLimit: 10,
    metadata: { team: "billing" },
    uid: "billing-1",
  },
  reply: WebhookRecord,
  message: "Advanced webhook endpoint created.",

  async handle({ data, caller }) {
    const [switches, webhooks] = await Promise.all([caller.setting("switches"), caller.setting("webhooks")]);
    const fields = { ...data, url: withoutFragment(data.url) };
    return webhookRecord(await createEndpoint(caller.ref, fields, { switches, webhooks }));
  },
});
export const handler = lambda(webhookEndpointsCreate);
