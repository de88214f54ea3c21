import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { EndpointName, WebhookSecret } from "../../lib/schema/webhooks.ts";
import { existingEndpoint } from "../../lib/webhooks/endpoint-record.ts";
import { currentSecret } from "../../lib/webhooks/endpoint-secrets.ts";

export const webhookSecretGet = endpoint({
  name: "webhook-secret-get",
  path: "/v2/workspace/advancedwebhook/endpoints/secret/get",
  summary: "Get a webhook secret",
  description: "Get the secret that signs the deliveries of an advanced webhook endpoint.",
  needs: ["advancedWebhooks"],
  grants: ["table:read", "key:unseal:webhook-secret"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: EndpointName,
  reply: WebhookSecret,
  message: "Signing secret retrieved.",

  async handle({ data: { endpointId }, caller: { workspace } }) {
    const existing = await existingEndpoint({ workspace, endpointId });
    return { endpointId, secret: await currentSecret({ workspace }, existing) };
  },
});
export const handler = readLambda(webhookSecretGet);
