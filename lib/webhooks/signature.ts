// Signs deliveries as Standard Webhooks defines it (DECISIONS.md#webhook-signatures).
import { Webhook } from "standardwebhooks";

/**
 * The headers of one attempt, with a signature for each secret: during a rotation, the receiver can have any of them.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}
