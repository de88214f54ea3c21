import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { EndpointId } from "../../lib/schema/fields.ts";
import { AlwaysTrue } from "../../lib/schema/primitives.ts";
import { EndpointName } from "../../lib/schema/webhooks.ts";
import { removeEndpoint } from "../../lib/webhooks/configure.ts";

export const webhookEndpointsDelete = endpoint({
  name: "webhook-endpoints-delete",
  path: "/v2/workspace/advancedwebhook/endpoints/delete",
  contract: 4,
  summary: "Delete a webhook endpoint",
  description: "Delete an advanced webhook endpoint permanently, with its secret, delivery log and pending deliveries.",
  needs: ["advancedWebhooks"],
  settings: ["webhooks"],
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: EndpointName,
  reply: z.object({ endpointId: EndpointId, deleted: AlwaysTrue }),
  message: "Advanced webhook endpoint deleted.",

  async handle({ data: { endpointId }, caller }) {
    const [switches, webhooks] = await Promise.all([caller.setting("switches"), caller.setting("webhooks")]);
    await removeEndpoint({ workspace: caller.workspace, endpointId }, { switches, webhooks });
    return { endpointId, deleted: true as const };
  },
});
export const handler = lambda(webhookEndpointsDelete);
