// Verifies what a webhook endpoint receives. This file also runs in a browser and on edge runtimes.
import * as standard from "standardwebhooks";

/** A message that is not verified. */
export interface WebhookVerificationError extends Error {}
/** Declared here: the types of the library need those of Node. */
export const WebhookVerificationError: new (message: string) => WebhookVerificationError =
  standard.WebhookVerificationError;

/** Headers as Fetch has them, or as `node:http` does. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | null | undefined>>;

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/**
 * Returns the verified event. `secret`: the endpoint's, with `whsec_`. `body`: exactly as it was received, not parsed.
 * Throws a `WebhookVerificationError` for a wrong signature, for a message that was signed more than 5 minutes ago, and
 * for a body that is no event.
 */
export function verifyAs<Event>(secret: string, body: string | Uint8Array, headers: ReceivedHeaders): Event {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new TypeError("body must be the text or the bytes that were received, not parsed.");
  }
  if (Object(headers) !== headers) throw new TypeError("headers are missing.");
  // With an empty key, anybody could sign.
  if (!/^(whsec_)?[\w+/]{16,}=*$/.test(secret)) throw new TypeError("secret must be like whsec_….");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const given = names.map((name) => [name, headerOf(headers, name)] as const);
  try {
    const event = new standard.Webhook(secret).verify(text, Object.fromEntries(given));
    const name = Object(event).event;
    if (name && typeof name === "string") return event as Event;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  throw new WebhookVerificationError("The body is signed, but it is no event.");
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return [value].flat()[0] ?? "";
}
