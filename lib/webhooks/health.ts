// An endpoint that has failed for five days without one success, with three messages or more, is switched off. What is
// needed for that is kept with the endpoint, which every attempt reads: an endpoint that works costs nothing.

import { anyValue } from "../dynamodb/write.ts";
import * as WebhookEndpoint from "../store/webhook-endpoint.ts";

type Endpoint = WebhookEndpoint.WebhookEndpoint;

const patienceMs = 5 * 24 * 3_600_000;
const messagesMin = 3;
const reason = "It has failed for 5 days without one success.";

/** What holds as long as the endpoint is there and stands as it was read. */
const asRead = ({ failingSince, failedMessages }: Endpoint) => ({ id: anyValue, failingSince, failedMessages });

/** After a delivery succeeded. */
export async function recovered(workspace: string, endpoint: Endpoint): Promise<void> {
  if (endpoint.failingSince === undefined) return;
  const remove = ["failingSince", "failedMessages"];
  await WebhookEndpoint.update(workspace, endpoint.id, { remove }, { id: anyValue });
}

/** After an attempt of a message failed, at `now` (ms since the epoch). */
export async function failed(workspace: string, endpoint: Endpoint, message: string, now: number): Promise<void> {
  const { failingSince = now, failedMessages = [] } = endpoint;
  const isNew = failedMessages.length < messagesMin && !failedMessages.includes(message);
  const messages = isNew ? [...failedMessages, message] : failedMessages;
  if (isNew) {
    const set = { failingSince, failedMessages: messages };
    await WebhookEndpoint.update(workspace, endpoint.id, { set }, asRead(endpoint));
  }
  if (messages.length >= messagesMin && now - failingSince >= patienceMs) await disable(workspace, endpoint.id);
}

async function disable(workspace: string, id: string): Promise<void> {
  await WebhookEndpoint.change(workspace, (endpoints) => {
    const endpoint = endpoints.find((each) => each.id === id);
    if (!endpoint || endpoint.disabled || endpoint.failingSince === undefined) return undefined;
    const set = { disabled: true, updatedAt: new Date().toISOString() };
    return {
      writes: [WebhookEndpoint.updating(workspace, id, { set }, { disabled: false, ...asRead(endpoint) })],
      endpoints: endpoints.map((each) => (each === endpoint ? { ...each, ...set } : each)),
      events: [{ type: "webhook_endpoint.disabled", workspace, organizationId: "", data: { endpointId: id, reason } }],
    };
  });
}
