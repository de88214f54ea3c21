// Standard Webhooks: how a receiver can verify a delivery (DECISIONS.md#webhook-signatures).
import { Webhook } from "standardwebhooks";

/** The headers of one attempt; a signature for each secret, so that a receiver may have either while it rotates. */
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
