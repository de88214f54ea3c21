import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { EndpointId } from "../../lib/schema/fields.ts";
import { optional } from "../../lib/schema/primitives.ts";
import { WebhookRecord, webhookFields } from "../../lib/schema/webhooks.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import { updateEndpoint } from "../../lib/webhooks/configure.ts";
import { webhookRecord, withoutFragment } from "../../lib/webhooks/endpoint-record.ts";

export const webhookEndpointsUpdate = endpoint({
  name: "webhook-endpoints-update",
  path: "/v2/workspace/advancedwebhook/endpoints/update",
  contract: 3,
  summary: "Update a webhook endpoint",
  description:
    "Update an advanced webhook endpoint. Omitted fields keep their values; null clears a field that allows null.",
  needs: ["advancedWebhooks"],
  settings: ["webhooks"],
  grants: ["table:read", "table:write", "queue:fanout"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: z.object({ endpointId: EndpointId, ...webhookFields, url: optional(webhookFields.url) }).check(
    z.refine(({ endpointId: _, ...fields }) => Object.values(fields).some((value) => value !== undefined), {
      error: "Give at least one field to change.",
      when: whenValid(),
    }),
  ),
  example: {
    endpointId: "endpoint-1",
    url: "https://example.com/webhooks/2",
    filterTypes: ["document.add"],
    disabled: false,
    rateLimit: 5,
  },
  reply: WebhookRecord,
  message: "Advanced webhook endpoint updated.",

  async handle({ data: { endpointId, url, ...rest }, caller }) {
    const [switches, webhooks] = await Promise.all([caller.setting("switches"), caller.setting("webhooks")]);
    const changes = { ...rest, ...(url !== undefined && { url: withoutFragment(url) }) };
    const ref = { workspace: caller.workspace, endpointId };
    return webhookRecord(await updateEndpoint(ref, changes, { switches, webhooks }));
  },
});
export const handler = lambda(webhookEndpointsUpdate);
