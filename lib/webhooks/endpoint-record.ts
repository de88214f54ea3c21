import { notFound } from "../errors.ts";
import type { WebhookRecord } from "../schema/webhooks.ts";
import * as WebhookEndpoint from "../store/webhooks/webhook-endpoint.ts";

export const endpointNotFound = () => notFound("webhook endpoint");

/** Throws NOT_FOUND if there is none. */
export async function existingEndpoint(ref: WebhookEndpoint.EndpointRef): Promise<WebhookEndpoint.WebhookEndpoint> {
  const endpoint = await WebhookEndpoint.get(ref);
  if (!endpoint) throw endpointNotFound();
  return endpoint;
}

/** An endpoint as a reply shows it. Metadata and secrets are omitted. */
export function webhookRecord(endpoint: WebhookEndpoint.WebhookEndpoint): WebhookRecord {
  const { id, url, disabled, createdAt, updatedAt } = endpoint;
  const { description = "", filterTypes = [], channels = null, rateLimit = null, uid = null } = endpoint;
  const { disabledReason = null, pausedUntil: pausedMs = 0 } = endpoint;
  const pausedUntil = pausedMs > Date.now() ? new Date(pausedMs).toISOString() : null;
  return {
    id,
    url,
    description,
    filterTypes,
    channels,
    disabled,
    disabledReason,
    pausedUntil,
    rateLimit,
    uid,
    createdAt,
    updatedAt,
  };
}

/** The URL without its fragment, which is never sent to a server. */
export const withoutFragment = (url: string) => url.replace(/#[\s\S]*/, "").trim();
