// Removes users from events: the bodies of deliveries, and events that are not deliveries yet.
import { redacted } from "../deletion/redact.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import type { WebhookBody } from "../webhooks/delivery-body.ts";

/**
 * Whether an event tells webhooks which user was deleted. Such an event has only the user's id. An erasure leaves the id
 * in it, because a receiver can be down for a day.
 */
export const tellsWho = (type: string): boolean => type === "user.delete";

/** The body of a delivery without the users. Undefined: it names none of them. */
export function bodyWithout(text: string, users: ReadonlySet<string>, organizationId?: string): string | undefined {
  const body = JSON.parse(text) as WebhookBody;
  const event = eventWithout(body, users, organizationId);
  return event && JSON.stringify(event);
}

/** The event without the users. Undefined: it names none of them, or is about another organization. */
export function eventWithout<E extends Pick<DomainEvent, "organizationId" | "data" | "mentions" | "value">>(
  event: E,
  users: ReadonlySet<string>,
  organizationId?: string,
): E | undefined {
  if (organizationId !== undefined && event.organizationId !== organizationId) return undefined;
  const without = {
    ...event,
    data: redacted(event.data, users) as object,
    mentions: redacted(event.mentions, users, "mentions"),
    value: redacted(event.value, users),
  } as E;
  return JSON.stringify(without) === JSON.stringify(event) ? undefined : without;
}
