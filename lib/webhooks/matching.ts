import type { DomainEvent } from "../jobs/outbox.ts";
import type { WebhookEndpoint } from "../store/webhooks/webhook-endpoint.ts";

/** The fields of an endpoint that decide which events it receives. A change of them raises the version of the list. */
export type Filter = Pick<WebhookEndpoint, "id" | "disabled" | "filterTypes" | "channels">;

/**
 * Whether an endpoint receives an event: it is enabled, its filter includes the type, and it listens to one of the
 * event's channels. A filter or channel list that is not set excludes nothing.
 */
export function matches({ disabled, filterTypes, channels }: Omit<Filter, "id">, event: DomainEvent): boolean {
  if (disabled || (filterTypes && !filterTypes.includes(event.type))) return false;
  return !channels || channelsOf(event).some((channel) => channels.includes(channel));
}

function channelsOf({ organizationId, documentId, channels = [] }: DomainEvent): string[] {
  return [
    ...(organizationId ? [`organization:${organizationId}`] : []),
    ...(documentId === undefined ? [] : [`document:${documentId}`]),
    ...channels,
  ];
}
