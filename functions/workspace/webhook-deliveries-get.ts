import * as z from "zod/mini";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { Id, optional } from "../../lib/schema/primitives.ts";
import { WebhookDelivery } from "../../lib/schema/webhooks.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import { pageOfDeliveries } from "../../lib/store/webhooks/delivery-page.ts";
import { existingEndpoint } from "../../lib/webhooks/existing-endpoint.ts";
import { shownDelivery, wholeDelivery } from "../../lib/webhooks/shown-delivery.ts";

export const webhookDeliveriesGet = endpoint({
  name: "webhook-deliveries-get",
  path: "/v2/workspace/advancedwebhook/deliveries/get",
  group: "workspace",
  summary: "List deliveries",
  description:
    "List the deliveries of an advanced webhook endpoint, newest first, or show one with its payload and attempts.",
  needs: ["advancedWebhooks"],
  grants: ["table:read"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: z
    .object({
      endpointId: Id,
      deliveryId: optional(
        Id.check(z.describe("The webhookId of a delivery. Returns only this one, with its payload and attempts.")),
      ),
      ...pageRequest,
    })
    .check(
      z.refine(
        ({ deliveryId, pageSize, pageToken }) => deliveryId === undefined || (pageSize ?? pageToken) === undefined,
        {
          error: "Give either deliveryId or a page.",
          when: whenValid("deliveryId", "pageSize", "pageToken"),
        },
      ),
    ),
  example: { endpointId: "endpoint-1", pageSize: 20 },
  reply: z.object({ deliveries: z.array(WebhookDelivery), ...pageReply }),
  message: "Deliveries retrieved.",

  async handle({ data, caller }) {
    const { endpointId, deliveryId } = data;
    const list = listing(caller, ["webhook-deliveries", endpointId], data);
    const ref = { workspace: caller.workspace, endpointId };
    await existingEndpoint(ref);
    if (deliveryId !== undefined) return { deliveries: [await wholeDelivery(ref, deliveryId)], nextPageToken: null };
    const { items, next } = await pageOfDeliveries(ref, list.size, list.from);
    return { deliveries: items.map(shownDelivery), nextPageToken: list.tokenFor(next) };
  },
});
export const handler = readLambda(webhookDeliveriesGet);
