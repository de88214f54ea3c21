// Disables an endpoint whose receiver says 410 (Gone). Also disables one that has failed for five days without a
// success, with three messages or more (DECISIONS.md#delivery-attempts). The state is part of the endpoint's item,
// which every attempt reads.
import { isDeepStrictEqual } from "node:util";
import { atMost } from "../dynamodb/write.ts";
import * as WebhookEndpoint from "../store/webhooks/webhook-endpoint.ts";
import { changeEndpoints } from "./change-endpoints.ts";

type Endpoint = WebhookEndpoint.WebhookEndpoint;

const failingMsMax = 5 * 24 * 3_600_000;
const messagesMin = 3;
const gone = 410;
const reasons = {
  gone: "Its receiver answered 410 (Gone).",
  failing: "It has failed for 5 days without one success.",
};

/** The condition that the endpoint has the address of the attempt, and its failures have not changed. */
const asRead = ({ url, failingSince, failedMessages }: Endpoint) => ({ url, failingSince, failedMessages });

/** Called after a delivery succeeded. */
export async function recovered(ref: WebhookEndpoint.EndpointRef, endpoint: Endpoint): Promise<void> {
  if (endpoint.failingSince === undefined) return;
  const remove = ["failingSince", "failedMessages"] as const;
  await WebhookEndpoint.update(ref, { remove }, { url: endpoint.url });
}

/** Pauses the endpoint of an attempt. Returns false if it was changed since, or is paused for longer. */
export async function pause(ref: WebhookEndpoint.EndpointRef, { url, updatedAt }: Endpoint, until: number) {
  const set = { pausedUntil: until };
  return WebhookEndpoint.update(ref, { set }, { url, updatedAt, pausedUntil: atMost(until) });
}

/** Ends the pause of an endpoint: a person says that its receiver works. */
export async function resume(ref: WebhookEndpoint.EndpointRef, { pausedUntil }: Endpoint): Promise<void> {
  if (pausedUntil !== undefined) await WebhookEndpoint.update(ref, { remove: ["pausedUntil"] }, { pausedUntil });
}

/** Called after an attempt of a message failed at `now` (ms since the epoch). `code`: the HTTP status of the reply. */
export async function failed(
  ref: WebhookEndpoint.EndpointRef,
  endpoint: Endpoint,
  message: string,
  now: number,
  code: number | undefined,
): Promise<void> {
  if (code === gone) return disable(ref, endpoint, reasons.gone);
  const { failingSince = now, failedMessages = [] } = endpoint;
  const isNew = failedMessages.length < messagesMin && !failedMessages.includes(message);
  const messages = isNew ? [...failedMessages, message] : failedMessages;
  if (isNew) {
    const set = { failingSince, failedMessages: messages };
    await WebhookEndpoint.update(ref, { set }, asRead(endpoint));
  }
  if (messages.length >= messagesMin && now - failingSince >= failingMsMax) {
    await disable(ref, endpoint, reasons.failing, { failingSince });
  }
}

/** Disables the endpoint of an attempt, unless it was changed since. */
async function disable(
  ref: WebhookEndpoint.EndpointRef,
  { url, updatedAt }: Endpoint,
  reason: string,
  more: Partial<Endpoint> = {},
): Promise<void> {
  const { workspace, endpointId } = ref;
  const asTried = { disabled: false, url, updatedAt, ...more };
  await changeEndpoints(ref, (endpoints) => {
    const endpoint = endpoints.find(({ id }) => id === endpointId);
    if (!endpoint || !isDeepStrictEqual({ ...endpoint, ...asTried }, endpoint)) return undefined;
    const set = { disabled: true, disabledReason: reason, updatedAt: new Date().toISOString() };
    return {
      writes: [WebhookEndpoint.updating(ref, { set }, asTried)],
      endpoints: endpoints.map((each) => (each === endpoint ? { ...each, ...set } : each)),
      events: [{ type: "webhook_endpoint.disabled", workspace, organizationId: "", data: { endpointId, reason } }],
    };
  });
}
