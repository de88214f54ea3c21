import { noteCaused } from "../call.ts";
import { commit } from "../jobs/commit.ts";
import { newId } from "../new-id.ts";
import * as Delivery from "../store/webhooks/delivery.ts";
import type { EndpointRef } from "../store/webhooks/webhook-endpoint.ts";
import { existingEndpoint } from "./existing-endpoint.ts";
import { deliveryOf } from "./message.ts";
import { wakeJob } from "./wake-job.ts";

/**
 * Adds a test delivery for an endpoint, ignoring its filters. Returns the `webhook-id`. Throws NOT_FOUND if the
 * endpoint does not exist.
 */
export async function sendTest(ref: EndpointRef): Promise<string> {
  await existingEndpoint(ref);
  const { workspace, endpointId } = ref;
  const event = { type: "webhook_endpoint.test", workspace, organizationId: "", data: { endpointId } } as const;
  const delivery = deliveryOf(event, new Date().toISOString(), newId(), endpointId);
  await commit([Delivery.adding(ref, delivery)], { jobs: [wakeJob(workspace, [endpointId])] });
  noteCaused("deliveries", `${endpointId}/${delivery.id}`);
  return delivery.id;
}
