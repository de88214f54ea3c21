import { commit } from "../jobs/commit.ts";
import { newId } from "../new-id.ts";
import * as Delivery from "../store/delivery.ts";
import * as WebhookEndpoint from "../store/webhook-endpoint.ts";
import { deliveryOf } from "./message.ts";
import { wakeJob } from "./wake-job.ts";

/** Puts a delivery of its own in line, past all filters; its `webhook-id`. NOT_FOUND where there is no such endpoint. */
export async function sendTest(workspace: string, endpointId: string): Promise<string> {
  await WebhookEndpoint.existing(workspace, endpointId);
  const event = { type: "webhook_endpoint.test", workspace, organizationId: "", data: { endpointId } } as const;
  const delivery = deliveryOf(event, new Date().toISOString(), newId(), endpointId);
  await commit([Delivery.adding(workspace, delivery)], { jobs: [wakeJob(workspace, [endpointId])] });
  return delivery.id;
}
