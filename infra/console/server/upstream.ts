// The calls of the API. Their number, time and replies have limits. They follow no redirect, which could take the keys
// elsewhere.
import type { Socket } from "node:net";
import { config } from "../../../lib/config.ts";

/** A browser sends six at a time to one server. */
const callsMax = 30;

/** The call ends when the connection of the client closes. Undefined: too many calls run. */
export type Upstream = (url: URL, sent: Sent, client: Socket) => Promise<Fetched | undefined>;

export function createUpstream(): Upstream {
  let running = 0;
  return async (url, sent, client) => {
    if (running >= callsMax) return undefined;
    running++;
    const gone = new AbortController();
    const abort = () => gone.abort();
    client.once("close", abort);
    if (client.destroyed) abort();
    try {
      return await boundedFetch(url, sent, gone.signal);
    } finally {
      client.off("close", abort);
      running--;
    }
  };
}

/** API Gateway ends a call after 30 s. */
const timeoutMs = 35_000;
/** Lambda's limit of a reply. */
const replyBytesMax = 6_291_556;

export interface Sent {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export type Fetched = { status: number; headers: Headers; text: string } | { problem: string };

/**
 * Returns the reply, or a sentence that says why there is none. It has no text of the address or of the failure.
 * `ends` ends the request.
 */
export async function boundedFetch(url: URL, { method, headers, body }: Sent, ends?: AbortSignal): Promise<Fetched> {
  try {
    const timeout = AbortSignal.timeout(timeoutMs * config.slowness());
    const signal = ends ? AbortSignal.any([timeout, ends]) : timeout;
    const response = await fetch(url, { method, headers, body: body ?? null, redirect: "manual", signal });
    const { status } = response;
    if (status >= 300 && status < 400) return { problem: `The API answers with a redirect (HTTP ${status}).` };
    const text = await boundedText(response);
    return text === undefined
      ? { problem: "The API's reply is too long." }
      : { status, headers: response.headers, text };
  } catch (thrown) {
    if ((thrown as Error).name === "TimeoutError") return { problem: "The API has not replied in time. Try again." };
    if (ends?.aborted) return { problem: "The browser has ended the call." };
    return { problem: "The API cannot be reached. Check that it runs, and its address." };
  }
}

async function boundedText({ body }: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > replyBytesMax) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
