// Sends a request, and repeats it while it can succeed later. A repeated write has the idempotency key of the first
// attempt, so its work is not done twice.
import { ApiError, errorOf, foreign, jsonIn, lost } from "./api-error.ts";
import type { CommonSettings } from "./options.ts";
import { within } from "./within.ts";

const [firstWaitMs, longestWaitMs] = [250, 8_000];
/** A call that may be repeated only later than this fails at once. */
const longestRetryAfterSeconds = 60;

export interface Credentials {
  /** Adds the headers that say who calls, before each attempt. */
  authorize(request: Request): void | Promise<void>;
  /** Removes the cause of a failure. Resolves to whether the call can succeed now. A call has one for each status. */
  mend?(failure: ApiError, refused: Request): boolean | Promise<boolean>;
}

/** Returns a `fetch` for one request. `writes`: the paths that change something. */
export function retryingFetch(
  { url, fetch, retries, timeoutMs }: CommonSettings,
  writes: ReadonlySet<string>,
  { authorize, mend = () => false }: Credentials,
): (request: Request) => Promise<Response> {
  const { origin } = new URL(url);
  return async (request) => {
    // An option of openapi-fetch or a path can lead elsewhere.
    if (new URL(request.url).origin !== origin) throw new TypeError(`The client calls only ${origin}.`);
    const isKeyed = retries > 0 && writes.has(new URL(request.url).pathname) && !request.headers.has("idempotency-key");
    if (isKeyed) request.headers.set("idempotency-key", crypto.randomUUID());
    const mended = new Set<string>();
    for (let attempt = 0; ; ) {
      const result = await within(timeoutMs, request.signal, (stop) => once(request, stop)).catch(asResult);
      const failure = result instanceof ApiError ? result : await failureIn(result);
      if (failure && !mended.has(failure.status)) {
        mended.add(failure.status);
        if (await within(timeoutMs, request.signal, async () => mend(failure, request))) continue;
      }
      const waitMs = failure && attempt < retries ? waitBefore(failure, attempt++) : undefined;
      if (waitMs === undefined) {
        if (result instanceof Response) return result;
        throw result;
      }
      await within(waitMs, request.signal, never).catch(asResult);
    }
  };

  /** The whole reply. A connection can be lost within the body too. */
  async function once(request: Request, signal: AbortSignal): Promise<Response> {
    await authorize(request);
    try {
      // A redirect would take the keys to another address.
      const sent = new Request(request.clone(), { signal, redirect: "manual" });
      // Node forgets the signal of a request that nothing holds.
      signal.addEventListener("abort", () => sent);
      const reply = await fetch(sent);
      // A browser does not show a redirect.
      if (reply.status === 0) throw foreign(0);
      const whole = new Response(reply.body && (await reply.arrayBuffer()), reply);
      if (whole.ok && (await jsonIn(whole)) === undefined) throw foreign(whole.status);
      return whole;
    } catch (thrown) {
      throw thrown instanceof ApiError ? thrown : lost("UNAVAILABLE", `The connection to ${origin} failed.`, thrown);
    }
  }
}

/** Anything else is the reason of the caller's signal. */
function asResult(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  throw thrown;
}

const never = () => new Promise<never>(() => undefined);

const failureIn = async (reply: Response) => (reply.ok ? undefined : errorOf(reply, await jsonIn(reply)));

/** How long to wait before the next attempt, in ms; undefined: the failure is final. */
function waitBefore({ status, httpStatus, requestId, retryAfterSeconds }: ApiError, attempt: number) {
  // Many clients can have the same failure at the same time, and the service names the same time to all.
  const askedMs = (retryAfterSeconds ?? 0) * 1_000;
  const jitterMs = Math.random() * Math.min(longestWaitMs, Math.max(firstWaitMs, 2 * askedMs) * 2 ** attempt);
  if (retryAfterSeconds !== undefined) {
    return retryAfterSeconds <= longestRetryAfterSeconds ? askedMs + jitterMs : undefined;
  }
  // Without a time to wait, a limit of the service lasts: its message says what to change. One of API Gateway ends, and
  // its replies have no request id of ours.
  const isOfGateway = httpStatus === 429 && requestId === undefined;
  return isOfGateway || status === "UNAVAILABLE" || status === "DEADLINE_EXCEEDED" ? jitterMs : undefined;
}
