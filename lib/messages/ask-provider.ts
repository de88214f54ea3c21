// One request to a provider of messages, through the guarded client. Its replies are never shown: they can repeat
// addresses, texts and keys.
import { jsonIn } from "../json.ts";
import type { OutboundReply } from "../net/exchange.ts";
import { OutboundError, type OutboundErrorKind } from "../net/outbound-error.ts";
import { send } from "../net/send.ts";
import type { Again } from "./channel.ts";

export interface ProviderReply {
  status: number;
  headers: OutboundReply["headers"];
  /** Undefined: it is not JSON. */
  body: unknown;
}

interface ProviderRequest {
  /** The provider's name, for sentences. */
  provider: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

const timeoutMs = 10_000;
const replyBytesMax = 65_536;
const waitMsMax = 12 * 3_600_000;

/** The same request would fail again. */
const final: ReadonlySet<OutboundErrorKind> = new Set(["bad_url", "bad_header", "refused_address", "too_large"]);

/** The reply with any status, or why there is no reply. Nothing that the provider does makes this throw. */
export async function askProvider(request: ProviderRequest): Promise<ProviderReply | Again | { refusal: string }> {
  const { provider, url, headers, body } = request;
  try {
    const reply = await send({ url, method: "POST", headers, body, timeoutMs, maxBytes: replyBytesMax });
    return { status: reply.status, headers: reply.headers, body: jsonIn(reply.body.toString("utf8")) };
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) throw thrown;
    const problem = `${provider} gave no usable answer. ${thrown.message}`;
    return final.has(thrown.kind) ? { refusal: problem } : { again: problem };
  }
}

/** A message is tried again later after these statuses. */
export const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * How long the provider asks to wait, in ms, at most 12 hours: Retry-After in seconds or as a date, or the Unix time at
 * which its rate limit begins anew.
 */
export function waitOf({ headers }: Pick<ProviderReply, "headers">, now = Date.now()): { afterMs?: number } {
  const [retryAfter, reset] = ["retry-after", "x-ratelimit-reset"].map((name) => [headers[name]].flat()[0]?.trim());
  const asked = retryAfter ? waitFor(retryAfter, now) : reset ? Number(reset) * 1_000 - now : 0;
  return asked > 0 ? { afterMs: Math.min(asked, waitMsMax) } : {};
}

const waitFor = (text: string, now: number) => (/^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now);
