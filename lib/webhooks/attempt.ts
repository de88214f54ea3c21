// One attempt: a signed POST, and what its answer means.
import { OutboundError } from "../net/outbound-error.ts";
import { type OutboundAnswer, send } from "../net/send.ts";
import type { Attempt, Delivery } from "../store/delivery.ts";
import { signatureHeaders } from "./signature.ts";

export const timeoutMs = 15_000;
const answerBytesMax = 1_024;

export interface Outcome {
  isDelivered: boolean;
  /** The receiver wants no further attempt. */
  isAborted: boolean;
  retryAfter: string | undefined;
  last: Attempt;
}

/** Success is a 2xx in time. Nothing that the receiver does throws. */
export async function attempt(url: string, secrets: readonly string[], { id, body }: Delivery): Promise<Outcome> {
  const at = new Date();
  const headers = { "content-type": "application/json", "user-agent": "collaboration-backend-webhooks" };
  const request = { url, method: "POST", timeoutMs, maxBytes: answerBytesMax, overflow: "truncate", body } as const;
  const signed = { ...request, headers: { ...headers, ...signatureHeaders(secrets, { id, at, body }) } };
  const answer = await send(signed).catch((thrown: unknown) => {
    if (thrown instanceof OutboundError) return thrown;
    throw thrown;
  });
  const timing = { at: at.toISOString(), durationMs: Date.now() - at.getTime() };
  if (answer instanceof OutboundError) {
    return { isDelivered: false, isAborted: false, retryAfter: undefined, last: { ...timing, error: answer.message } };
  }
  const { status: code, body: bytes } = answer;
  return {
    isDelivered: code >= 200 && code < 300,
    isAborted: headerOf(answer, "webhook-delivery")?.trim().toLowerCase() === "abort-message",
    retryAfter: headerOf(answer, "retry-after"),
    last: { ...timing, code, answer: bytes.toString("utf8") },
  };
}

function headerOf({ headers }: OutboundAnswer, name: string): string | undefined {
  return [headers[name]].flat()[0];
}
