import { send } from "../net/send.ts";

const answerBytesMax = 4 * 1_024 * 1_024;
/** Statuses for which the Fetch standard allows no body. */
const bodiless = new Set([204, 205, 304]);

/**
 * A `fetch` for the vendors' SDKs that uses the guarded client, since customers set the base URL. `deadline` is in ms
 * since the epoch, for the whole exchange. It does not follow redirects. Throws OutboundError.
 */
export function guardedFetch(deadline: number): typeof fetch {
  return async (input, init) => {
    const answer = await send({
      url: String(input instanceof Request ? input.url : input),
      method: init?.method === "GET" ? "GET" : "POST",
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: String(init?.body ?? ""),
      timeoutMs: Math.max(0, deadline - Date.now()),
      maxBytes: answerBytesMax,
      signal: init?.signal ?? undefined,
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers.set(name, [value].flat().join(", "));
    }
    const body = bodiless.has(answer.status) ? null : new Uint8Array(answer.body);
    return new Response(body, { status: answer.status, headers });
  };
}
