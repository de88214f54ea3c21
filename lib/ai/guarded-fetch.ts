import { send } from "../net/send.ts";

const replyBytesMax = 4 * 1_024 * 1_024;
/** Statuses for which the Fetch standard allows no body. */
const bodiless = new Set([204, 205, 304]);

/**
 * A `fetch` for the vendors' SDKs. It uses the guarded client, since customers set the base URL, and does not follow
 * redirects. `deadline` (ms since the epoch) ends the whole exchange. Throws OutboundError.
 */
export function guardedFetch(deadline: number): typeof fetch {
  return async (input, init) => {
    const reply = await send({
      url: String(input instanceof Request ? input.url : input),
      method: init?.method === "GET" ? "GET" : "POST",
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: String(init?.body ?? ""),
      timeoutMs: Math.max(0, deadline - Date.now()),
      maxBytes: replyBytesMax,
      signal: init?.signal ?? undefined,
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) {
      if (value !== undefined) headers.set(name, [value].flat().join(", "));
    }
    const body = bodiless.has(reply.status) ? null : new Uint8Array(reply.body);
    return new Response(body, { status: reply.status, headers });
  };
}
