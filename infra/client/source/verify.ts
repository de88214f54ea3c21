// Verifies what a webhook endpoint receives. This file also runs in a browser and on edge runtimes.
import { Webhook, WebhookVerificationError } from "standardwebhooks";

export { WebhookVerificationError };

/** Headers as Fetch has them, or as `node:http` does. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/**
 * Returns the verified event. `secret`: the endpoint's, with `whsec_`. `body`: exactly as it was received, not parsed.
 * Throws a `WebhookVerificationError` for a wrong signature, and for a message that was signed more than 5 minutes ago.
 */
export function verifyAs<Event>(secret: string, body: string | Uint8Array, headers: ReceivedHeaders): Event {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const given = names.map((name) => [name, headerOf(headers, name)] as const);
  return new Webhook(secret).verify(text, Object.fromEntries(given)) as Event;
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return (typeof value === "object" ? value[0] : value) ?? "";
}
