import * as z from "zod/mini";
import { ApiError } from "../../lib/errors.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { EndpointId } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { Id, optional } from "../../lib/schema/primitives.ts";
import { type DeliveryAttempt, DeliveryStatus, WebhookDelivery } from "../../lib/schema/webhooks.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import * as Delivery from "../../lib/store/webhooks/delivery.ts";
import { oneDelivery, pageOfDeliveries } from "../../lib/store/webhooks/delivery-page.ts";
import type { EndpointRef } from "../../lib/store/webhooks/webhook-endpoint.ts";
import { existingEndpoint } from "../../lib/webhooks/endpoint-record.ts";

const scan = "A scan: the page reads at most 2,500 deliveries and shows those that match.";

export const webhookDeliveriesGet = endpoint({
  name: "webhook-deliveries-get",
  path: "/v2/workspace/advancedwebhook/deliveries/get",
  summary: "List deliveries",
  description:
    "List the deliveries of an advanced webhook endpoint, newest first, or show one with its payload and attempts.",
  needs: ["advancedWebhooks"],
  grants: ["table:read"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: z
    .object({
      endpointId: EndpointId,
      deliveryId: optional(
        Id.check(z.describe("The webhookId of a delivery. Returns only this one, with its payload and attempts.")),
      ),
      status: optional(DeliveryStatus.check(z.describe(`Only deliveries in this state. ${scan}`))),
      ...pageRequest,
    })
    .check(
      z.refine(
        ({ deliveryId, status, pageSize, pageToken }) =>
          deliveryId === undefined || ((status ?? pageSize) === undefined && !pageToken),
        {
          error: "Give either deliveryId, or a status and a page.",
          when: whenValid("deliveryId", "status", "pageSize", "pageToken"),
        },
      ),
    ),
  example: { endpointId: "endpoint-1", pageSize: 20 },
  reply: z.object({
    deliveries: z.array(WebhookDelivery).check(z.describe("The deliveries of this page, the newest first.")),
    ...pageReply,
  }),
  message: "Deliveries retrieved.",

  async handle({ data, caller }) {
    const { endpointId, deliveryId, status } = data;
    const list = listing(caller, ["webhook-deliveries", endpointId, ...(status ? [status] : [])], data);
    const ref = { workspace: caller.workspace, endpointId };
    await existingEndpoint(ref);
    if (deliveryId !== undefined) return { deliveries: [await wholeDelivery(ref, deliveryId)], nextPageToken: null };
    const { items, next } = await pageOfDeliveries(ref, list.size, list.from, status);
    return { deliveries: items.map(shownDelivery), nextPageToken: list.tokenFor(next) };
  },
});
export const handler = readLambda(webhookDeliveriesGet);

/** A delivery as a reply shows it. Before its first attempt, it is due at its creation time. */
function shownDelivery(delivery: Delivery.Logged | Delivery.Pending): WebhookDelivery {
  const { id, event, organizationId, documentId, createdAt, attempts } = delivery;
  const isTried = "status" in delivery;
  const last = isTried ? shownAttempt(delivery.last) : undefined;
  return {
    webhookId: id,
    event,
    organizationId: organizationId ?? null,
    documentId: documentId ?? null,
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

/** One delivery, with its payload and all attempts. Throws NOT_FOUND if there is none, or if it has ended. */
async function wholeDelivery(ref: EndpointRef, id: string): Promise<WebhookDelivery> {
  const delivery = await oneDelivery(ref, id);
  if (!delivery) throw new ApiError("NOT_FOUND", "The delivery does not exist, or is no longer kept.");
  const attempts = "status" in delivery ? Delivery.attemptsOf(delivery) : [];
  return { ...shownDelivery(delivery), payload: delivery.body ?? null, attemptLog: attempts.map(shownAttempt) };
}

function shownAttempt({ at, durationMs, code, answer, error }: Delivery.Attempt): DeliveryAttempt {
  return { at, durationMs, code: code ?? null, answer: answer ?? null, error: error ?? null };
}
