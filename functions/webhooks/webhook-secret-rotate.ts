import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { Flag, optional } from "../../lib/schema/primitives.ts";
import { EndpointName, WebhookSecret } from "../../lib/schema/webhooks.ts";
import { rotateSecret } from "../../lib/webhooks/configure.ts";

export const webhookSecretRotate = endpoint({
  name: "webhook-secret-rotate",
  path: "/v2/workspace/advancedwebhook/endpoints/secret/rotate",
  summary: "Rotate a webhook secret",
  description:
    "Rotate the secret of an advanced webhook endpoint. For 24 hours, deliveries are signed with both secrets.",
  needs: ["advancedWebhooks"],
  grants: ["table:read", "table:write", "key:seal:webhook-secret"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: z.extend(EndpointName, {
    endFormerNow: optional(
      Flag.check(z.describe("End all former secrets now, for example because one was leaked. Default false.")),
    ),
  }),
  reply: WebhookSecret,
  message: "Signing secret rotated.",

  async handle({ data: { endpointId, endFormerNow }, caller: { workspace } }) {
    return { endpointId, secret: await rotateSecret({ workspace, endpointId }, endFormerNow) };
  },
});
export const handler = lambda(webhookSecretRotate);
