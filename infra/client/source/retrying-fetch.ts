// Sends a request, and repeats it while it can succeed later. A repeated write has the idempotency key of the first
// attempt, so its work is not done twice.
import { ApiError, errorOf, foreign } from "./api-error.ts";
import type { Settings } from "./options.ts";

const [firstWaitMs, longestWaitMs] = [250, 8_000];
/** A call that may be repeated only later than this fails at once. */
const longestRetryAfterSeconds = 60;

/** Returns a `fetch` for one request, which adds the keys. `isWrite` says whether a path changes something. */
export function retryingFetch(
  { url, apiKey, authToken, fetch, retries, timeoutMs }: Settings,
  isWrite: (path: string) => boolean,
): (request: Request) => Promise<Response> {
  const { origin } = new URL(url);
  return async (request) => {
    // An option of openapi-fetch or a path can lead elsewhere.
    if (new URL(request.url).origin !== origin) throw new TypeError(`The client calls only ${origin}.`);
    const headers = {
      "x-service-api-key": apiKey,
      "x-service-auth-token": authToken,
      ...(retries > 0 && isWrite(new URL(request.url).pathname) && { "idempotency-key": crypto.randomUUID() }),
    };
    for (const [name, value] of Object.entries(headers)) {
      if (!request.headers.has(name)) request.headers.set(name, value);
    }
    for (let attempt = 0; ; attempt++) {
      request.signal.throwIfAborted();
      const result = await once(request);
      const waitMs = attempt < retries ? await waitBefore(result, attempt) : undefined;
      if (waitMs === undefined) {
        if (result instanceof Response) return result;
        throw result;
      }
      await pause(waitMs, request.signal);
    }
  };

  /** The whole reply, or the error of an attempt without one. A connection can be lost within the body too. */
  function once(request: Request): Promise<Response | ApiError> {
    const stop = new AbortController();
    // A redirect would take the keys to another address.
    const sent = new Request(request.clone(), { signal: stop.signal, redirect: "manual" });
    return new Promise((resolve, reject) => {
      // A signal alone may end nothing. Node forgets that of a request that nothing holds, so the timer holds this one.
      // And the option `fetch` can ignore it.
      const timer = setTimeout(() => end(lost("DEADLINE_EXCEEDED", `No reply within ${timeoutMs} ms.`)), timeoutMs);
      request.signal.addEventListener("abort", end);
      wholeReply(sent).then(end, (cause) => end(lost("UNAVAILABLE", `The connection to ${origin} failed.`, cause)));

      function end(result: Response | ApiError | Event): void {
        clearTimeout(timer);
        request.signal.removeEventListener("abort", end);
        if (!(result instanceof Response)) stop.abort();
        if (result instanceof Event) reject(request.signal.reason);
        else resolve(result);
      }
    });
  }

  async function wholeReply(request: Request): Promise<Response | ApiError> {
    const reply = await fetch(request);
    const whole = new Response(reply.body && (await reply.arrayBuffer()), reply);
    return whole.ok && (await jsonIn(whole)) === undefined ? foreign(whole.status) : whole;
  }
}

const lost = (status: string, message: string, cause?: unknown) =>
  new ApiError(status, message, { httpStatus: 0, cause });

/** How long to wait before the next attempt, in ms; undefined: the result is final. */
async function waitBefore(result: Response | ApiError, attempt: number): Promise<number | undefined> {
  if (result instanceof Response && result.status < 400) return undefined;
  const error = result instanceof Response ? errorOf(result, await jsonIn(result)) : result;
  const { status, httpStatus, requestId, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) {
    return retryAfterSeconds <= longestRetryAfterSeconds ? retryAfterSeconds * 1_000 : undefined;
  }
  // Without a time to wait, a limit of the service lasts: its message says what to change. One of API Gateway ends, and
  // its replies have no request id of ours.
  const isOfGateway = httpStatus === 429 && requestId === undefined;
  if (!isOfGateway && status !== "UNAVAILABLE" && status !== "DEADLINE_EXCEEDED") return undefined;
  return Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** attempt);
}

/** Undefined: the body is not JSON. */
const jsonIn = (response: Response): Promise<unknown> =>
  response
    .clone()
    .json()
    .catch(() => undefined);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
