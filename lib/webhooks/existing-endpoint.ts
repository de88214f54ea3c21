import { notFound } from "../errors.ts";
import * as WebhookEndpoint from "../store/webhooks/webhook-endpoint.ts";

export const endpointNotFound = () => notFound("webhook endpoint");

/** Throws NOT_FOUND if there is none. */
export async function existingEndpoint(ref: WebhookEndpoint.EndpointRef): Promise<WebhookEndpoint.WebhookEndpoint> {
  const endpoint = await WebhookEndpoint.get(ref);
  if (!endpoint) throw endpointNotFound();
  return endpoint;
}
