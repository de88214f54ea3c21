import { ApiError } from "../errors.ts";
import * as WebhookEndpoint from "../store/webhook-endpoint.ts";

export const endpointNotFound = () => new ApiError("NOT_FOUND", "The webhook endpoint does not exist.");

/** Throws NOT_FOUND if there is none. */
export async function existingEndpoint(ref: WebhookEndpoint.EndpointRef): Promise<WebhookEndpoint.WebhookEndpoint> {
  const endpoint = await WebhookEndpoint.get(ref);
  if (!endpoint) throw endpointNotFound();
  return endpoint;
}
