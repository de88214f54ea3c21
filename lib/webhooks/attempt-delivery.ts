// One attempt of a delivery: sends a signed POST and interprets the reply.
import { Webhook } from "standardwebhooks";
import type { OutboundReply, OutboundRequest } from "../net/exchange.ts";
import { OutboundError } from "../net/outbound-error.ts";
import { send } from "../net/send.ts";
import type { Secret } from "../secret.ts";
import type { Attempt, Delivery } from "../store/webhooks/delivery.ts";

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
  secrets: readonly Secret[],
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

/** Bytes of the text, as UTF-8. */
const answerBytesMax = 1_024;
/** A receiver knows its secret, and a page that it shows for an error can contain it. */
const secretCharactersMax = 128;

/** Bytes of a reply to read: a secret that begins within the kept bytes can be recognized whole. */
const replyBytesMax = answerBytesMax + secretCharactersMax;

/** The part of a receiver's reply that is kept: well-formed text without the secrets. */
function answerText(body: Buffer, secrets: readonly Secret[]): string {
  const names = secrets.flatMap((secret) => [secret.reveal(), secret.reveal().replace(/^whsec_/, "")]);
  const text = names.reduce((rest, name) => rest.replaceAll(name, "[secret]"), body.toString("utf8"));
  // Decoded as a stream, so that a character which the limit cuts is left out.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, answerBytesMax), {
    stream: true,
  });
}

/**
 * The headers of one attempt, signed as Standard Webhooks defines it (DECISIONS.md#webhook-signatures). There is a
 * signature for each secret: during a rotation, the receiver can have any of them.
 */
export function signatureHeaders(
  secrets: readonly Secret[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret.reveal()).sign(id, at, body)).join(" "),
  };
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** The wait in ms after the first attempt, the second, and so on. After the last step there is no further attempt. */
const steps = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
const jitter = 0.1;
const retryAfterMax = 12 * hour;

/**
 * When to attempt again after `tries` attempts, in ms since the epoch (DECISIONS.md#delivery-attempts); undefined:
 * never. The receiver's Retry-After can lengthen a step up to 12 hours. It cannot shorten one.
 */
export function nextAttemptAt(
  tries: number,
  now: number,
  retryAfter?: string,
  random = Math.random(),
): number | undefined {
  const step = steps[tries - 1];
  if (step === undefined) return undefined;
  const asked = Math.min(retryAfterMax, retryAfterMs(retryAfter, now));
  return now + Math.round(Math.max(step * (1 + jitter * (2 * random - 1)), asked));
}

/** The receiver has too much to do (Standard Webhooks). 503 says so if it asks to wait. */
const overloaded: readonly (number | undefined)[] = [429, 502, 504];
const pauseMs = { least: 5 * second, most: 15 * minute };

/**
 * Until when the endpoint gets no attempt after this one, in ms since the epoch; undefined: it is not paused.
 * `failingSince`: since when no delivery has succeeded.
 */
export function pauseAfter({ last, retryAfter }: AttemptResult, failingSince: number, now: number): number | undefined {
  const { code } = last;
  if (!overloaded.includes(code) && (code !== 503 || retryAfter === undefined)) return undefined;
  const asked = Math.min(retryAfterMax, retryAfterMs(retryAfter, now));
  return now + (asked || Math.min(pauseMs.most, Math.max(pauseMs.least, Math.round((now - failingSince) / 2))));
}

/** The wait that a Retry-After header asks for, in ms. It has seconds or a date; anything else is no wait. */
function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * second;
  return Math.max(0, (Date.parse(header) || now) - now);
}
