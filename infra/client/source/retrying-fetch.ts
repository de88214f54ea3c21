// Sends a request, and repeats it while it can succeed later. A repeated write has the idempotency key of the first
// attempt, so its work is not done twice.
import { ApiError, errorOf } from "./api-error.ts";
import type { Settings } from "./options.ts";

const idempotencyKey = "idempotency-key";

const [firstWaitMs, longestWaitMs] = [250, 8_000];
/** A call that may be repeated only later than this fails at once. */
const longestRetryAfterSeconds = 60;

/** Returns a `fetch` for one request. `isWrite` says whether a path changes something. */
export function retryingFetch(
  { url, fetch, retries, timeoutMs }: Settings,
  isWrite: (path: string) => boolean,
): (request: Request) => Promise<Response> {
  const { origin } = new URL(url);
  return async (request) => {
    // The request has the keys already. An option of openapi-fetch or a path can lead elsewhere.
    if (new URL(request.url).origin !== origin) throw new TypeError(`The client calls only ${origin}.`);
    if (retries > 0 && isWrite(new URL(request.url).pathname) && !request.headers.has(idempotencyKey)) {
      request.headers.set(idempotencyKey, crypto.randomUUID());
    }
    for (let attempt = 0; ; attempt++) {
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
  async function once(request: Request): Promise<Response | ApiError> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([request.signal, timeout]);
    try {
      // A redirect would take the keys to another address.
      const reply = await fetch(new Request(request.clone(), { signal, redirect: "error" }));
      return new Response(reply.body && (await reply.arrayBuffer()), reply);
    } catch (cause) {
      request.signal.throwIfAborted();
      if (timeout.aborted) return lost("DEADLINE_EXCEEDED", `No reply within ${timeoutMs} ms.`, cause);
      return lost("UNAVAILABLE", `The connection to ${origin} failed.`, cause);
    }
  }
}

const lost = (status: string, message: string, cause: unknown) =>
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

/** Not JSON: something between the client and the service has replied. */
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
