import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { WebhookRecord } from "../../lib/schema/webhooks.ts";
import * as WebhookEndpoint from "../../lib/store/webhooks/webhook-endpoint.ts";
import { webhookRecord } from "../../lib/webhooks/endpoint-record.ts";

export const webhookEndpointsGet = endpoint({
  name: "webhook-endpoints-get",
  path: "/v2/workspace/advancedwebhook/endpoints/get",
  summary: "List webhook endpoints",
  description: "List the workspace's advanced webhook endpoints.",
  needs: ["advancedWebhooks"],
  grants: ["table:read"],
  errors: ["FAILED_PRECONDITION"],
  data: z.object({ ...pageRequest }),
  example: { pageSize: 50 },
  reply: z.object({
    endpoints: z.array(WebhookRecord).check(z.describe("The webhook endpoints of this page.")),
    ...pageReply,
  }),
  message: "Advanced webhook endpoints retrieved.",

  async handle({ data, caller }) {
    const list = listing(caller, ["webhook-endpoints"], data);
    const { items, next } = await WebhookEndpoint.page(caller.ref, list.size, list.from);
    return { endpoints: items.map(webhookRecord), nextPageToken: list.tokenFor(next) };
  },
});
export const handler = readLambda(webhookEndpointsGet);
