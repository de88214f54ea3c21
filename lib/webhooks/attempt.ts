// One attempt of a delivery: sends a signed POST and interprets the reply.
import type { OutboundReply, OutboundRequest } from "../net/exchange.ts";
import { OutboundError } from "../net/outbound-error.ts";
import { send } from "../net/send.ts";
import type { Attempt, Delivery } from "../store/webhooks/delivery.ts";
import { answerText, replyBytesMax } from "./answer-text.ts";
import { signatureHeaders } from "./signature.ts";

export const timeoutMs = 15_000;

export interface AttemptResult {
  isDelivered: boolean;
  /** The receiver asked for no further attempt. */
  isAborted: boolean;
  retryAfter: string | undefined;
  last: Attempt;
}

/** A 2xx status within the timeout is a success. Nothing that the receiver does makes this throw. */
export async function attempt(
  url: string,
  secrets: readonly string[],
  { id, body, causedBy, onSent }: Pick<Delivery, "id" | "body" | "causedBy"> & Pick<OutboundRequest, "onSent">,
): Promise<AttemptResult> {
  const at = new Date();
  const headers = { "content-type": "application/json", "user-agent": "collaboration-backend-webhooks" };
  const request = {
    url,
    method: "POST",
    timeoutMs,
    maxBytes: replyBytesMax,
    overflow: "truncate",
    body,
    onSent,
  } as const;
  const ids = { ...signatureHeaders(secrets, { id, at, body }), ...(causedBy && { "x-request-id": causedBy }) };
  const signed = { ...request, headers: { ...headers, ...ids } };
  const reply = await send(signed).catch((thrown: unknown) => {
    if (thrown instanceof OutboundError) return thrown;
    throw thrown;
  });
  const timing = { at: at.toISOString(), durationMs: Date.now() - at.getTime() };
  if (reply instanceof OutboundError) {
    return { isDelivered: false, isAborted: false, retryAfter: undefined, last: { ...timing, error: reply.message } };
  }
  const { status: code, body: bytes } = reply;
  return {
    isDelivered: code >= 200 && code < 300,
    isAborted: headerOf(reply, "webhook-delivery")?.trim().toLowerCase() === "abort-message",
    retryAfter: headerOf(reply, "retry-after"),
    last: { ...timing, code, answer: answerText(bytes, secrets) },
  };
}

function headerOf({ headers }: OutboundReply, name: string): string | undefined {
  return [headers[name]].flat()[0];
}
