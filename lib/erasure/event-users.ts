// Removes users from events: the bodies of deliveries, and events that are not deliveries yet.
import { inFlightSeconds } from "../call.ts";
import { redacted } from "../deletion/redact.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import type { WebhookBody } from "../webhooks/delivery-body.ts";
import type { Context } from "./context.ts";

/**
 * Whether the erasure itself sent this event to webhooks a short time ago. The event stays until a pass that begins
 * later, so that receivers learn who was erased.
 */
export function isOwnEvent({ acceptedAt }: Pick<Context, "acceptedAt">, type: string, createdAt: string): boolean {
  return (
    type === "user.delete" && createdAt >= acceptedAt && Date.now() - Date.parse(createdAt) < inFlightSeconds * 1_000
  );
}

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
