// Builds the message that one endpoint receives for an event.
import { hash } from "node:crypto";
import { causedBy } from "../call.ts";
import { type DomainEvent, placeKey } from "../jobs/outbox.ts";
import { idPrefix, type Pending } from "../store/webhooks/delivery.ts";

/** A delivery's body, sent as JSON. */
export interface WebhookBody {
  event: string;
  /** The last word of the event's type, such as `add`. */
  actionType: string;
  /** The words before `actionType`, such as `comment`. */
  source: string;
  /** The same id as in the header `webhook-id`. */
  webhookId: string;
  workspace: string;
  organizationId: string;
  documentId?: string | undefined;
  createdAt: string;
  data: object;
}

/**
 * The delivery of an event to an endpoint. `origin` identifies the event. The id is derived from origin and endpoint,
 * and begins with the event's time and its `place` in its call (DECISIONS.md#delivery-attempts). The running call causes
 * it.
 */
export function deliveryOf(
  event: DomainEvent,
  createdAt: string,
  origin: string,
  endpointId: string,
  place = 0,
): Pending {
  const dueAt = Date.parse(createdAt);
  const order = `${idPrefix(dueAt)}${placeKey(place)}_`;
  const id = order + hash("sha256", JSON.stringify([origin, endpointId]), "base64url").slice(0, 22);
  const { type, organizationId, documentId } = event;
  const about = { event: type, ...(organizationId && { organizationId }), ...(documentId && { documentId }) };
  const body = JSON.stringify(bodyOf(event, createdAt, id));
  return { id, endpointId, ...about, createdAt, body, attempts: 0, tries: 0, ...causedBy(), dueAt };
}

function bodyOf({ type, workspace, organizationId, documentId, data }: DomainEvent, createdAt: string, id: string) {
  const dot = type.lastIndexOf(".");
  const body: WebhookBody = {
    event: type,
    actionType: type.slice(dot + 1),
    source: type.slice(0, dot),
    webhookId: id,
    workspace,
    organizationId,
    documentId,
    createdAt,
    data,
  };
  return body;
}
