// A delivery as a reply shows it (DECISIONS.md#webhook-log).
import { ApiError } from "../errors.ts";
import type { DeliveryAttempt, WebhookDelivery } from "../schema/webhooks.ts";
import * as Delivery from "../store/webhooks/delivery.ts";
import { oneDelivery } from "../store/webhooks/one-delivery.ts";
import type { EndpointRef } from "../store/webhooks/webhook-endpoint.ts";

/** Before its first attempt, a delivery is due at its creation time. */
export function shownDelivery(delivery: Delivery.Logged | Delivery.Pending): WebhookDelivery {
  const { id, event, createdAt, attempts } = delivery;
  const isTried = "status" in delivery;
  const last = isTried ? shownAttempt(delivery.last) : undefined;
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

/** One delivery, with its payload and all attempts. Throws NOT_FOUND if there is none, or if it has ended. */
export async function wholeDelivery(ref: EndpointRef, id: string): Promise<WebhookDelivery> {
  const delivery = await oneDelivery(ref, id);
  if (!delivery) throw new ApiError("NOT_FOUND", "The delivery does not exist, or is no longer kept.");
  const attempts = "status" in delivery ? Delivery.attemptsOf(delivery) : [];
  return { ...shownDelivery(delivery), payload: delivery.body ?? null, attemptLog: attempts.map(shownAttempt) };
}

function shownAttempt({ at, durationMs, code, answer, error }: Delivery.Attempt): DeliveryAttempt {
  return { at, durationMs, code: code ?? null, answer: answer ?? null, error: error ?? null };
}
