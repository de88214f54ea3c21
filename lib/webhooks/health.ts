// Disables an endpoint that has failed for five days without one success, with three messages or more
// (DECISIONS.md#delivery-attempts). The state is part of the endpoint's item, which every attempt reads.
import { anyValue } from "../dynamodb/write.ts";
import * as WebhookEndpoint from "../store/webhooks/webhook-endpoint.ts";
import { changeEndpoints } from "./change-endpoints.ts";

type Endpoint = WebhookEndpoint.WebhookEndpoint;

const failingMsMax = 5 * 24 * 3_600_000;
const messagesMin = 3;
const reason = "It has failed for 5 days without one success.";

/** The condition that the endpoint exists and its failures have not changed since they were read. */
const asRead = ({ failingSince, failedMessages }: Endpoint) => ({ id: anyValue, failingSince, failedMessages });

/** Called after a delivery succeeded. */
export async function recovered(ref: WebhookEndpoint.EndpointRef, endpoint: Endpoint): Promise<void> {
  if (endpoint.failingSince === undefined) return;
  const remove = ["failingSince", "failedMessages"] as const;
  await WebhookEndpoint.update(ref, { remove }, { id: anyValue });
}

/** Called after an attempt of a message failed at `now` (ms since the epoch). */
export async function failed(
  ref: WebhookEndpoint.EndpointRef,
  endpoint: Endpoint,
  message: string,
  now: number,
): Promise<void> {
  const { failingSince = now, failedMessages = [] } = endpoint;
  const isNew = failedMessages.length < messagesMin && !failedMessages.includes(message);
  const messages = isNew ? [...failedMessages, message] : failedMessages;
  if (isNew) {
    const set = { failingSince, failedMessages: messages };
    await WebhookEndpoint.update(ref, { set }, asRead(endpoint));
  }
  if (messages.length >= messagesMin && now - failingSince >= failingMsMax) await disable(ref);
}

async function disable(ref: WebhookEndpoint.EndpointRef): Promise<void> {
  const { workspace, endpointId } = ref;
  await changeEndpoints(ref, (endpoints) => {
    const endpoint = endpoints.find(({ id }) => id === endpointId);
    if (!endpoint || endpoint.disabled || endpoint.failingSince === undefined) return undefined;
    const set = { disabled: true, updatedAt: new Date().toISOString() };
    return {
      writes: [WebhookEndpoint.updating(ref, { set }, { disabled: false, ...asRead(endpoint) })],
      endpoints: endpoints.map((each) => (each === endpoint ? { ...each, ...set } : each)),
      events: [{ type: "webhook_endpoint.disabled", workspace, organizationId: "", data: { endpointId, reason } }],
    };
  });
}
