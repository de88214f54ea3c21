import * as z from "zod/mini";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { Id } from "../../lib/schema/primitives.ts";
import { WebhookDelivery } from "../../lib/schema/webhooks.ts";
import type * as Delivery from "../../lib/store/delivery.ts";
import { pageOfDeliveries } from "../../lib/store/delivery-page.ts";
import { existingEndpoint } from "../../lib/webhooks/existing-endpoint.ts";

export const webhookDeliveriesGet = endpoint({
  name: "webhook-deliveries-get",
  path: "/v2/workspace/advancedwebhook/deliveries/get",
  group: "workspace",
  summary: "List the deliveries of an advanced webhook endpoint, newest first. They are kept for 30 days.",
  needs: ["advancedWebhooks"],
  grants: ["table:read"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: z.object({ endpointId: Id, ...pageRequest }),
  reply: z.object({ deliveries: z.array(WebhookDelivery), ...pageReply }),
  message: "Deliveries retrieved.",

  async handle({ data, caller }) {
    const { endpointId } = data;
    const list = listing(caller, ["webhook-deliveries", endpointId], data);
    const ref = { workspace: caller.workspace, endpointId };
    await existingEndpoint(ref);
    const { items, next } = await pageOfDeliveries(ref, list.size, list.from);
    return { deliveries: items.map(shownDelivery), nextPageToken: list.tokenFor(next) };
  },
});
export const handler = readLambda(webhookDeliveriesGet);

/** Before its first attempt, a delivery is due at its creation time. */
function shownDelivery(delivery: Delivery.Logged | Delivery.Pending): WebhookDelivery {
  const { id, event, createdAt, attempts } = delivery;
  const isTried = "status" in delivery;
  const last = isTried ? delivery.last : undefined;
  return {
    webhookId: id,
    event,
    createdAt,
    status: isTried ? delivery.status : "pending",
    attempts,
    nextAttemptAt: (isTried ? delivery.nextAttemptAt : createdAt) ?? null,
    lastAttemptAt: last?.at ?? null,
    durationMs: last?.durationMs ?? null,
    code: last?.code ?? null,
    answer: last?.answer ?? null,
    error: last?.error ?? null,
  };
}
