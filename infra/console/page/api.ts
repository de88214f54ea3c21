// Calls the API through the console's server, which adds the keys. No key of the API reaches the browser.
import { lookHeader } from "../server/look.ts";
import { keyHeader } from "./key.ts";
import type { Try } from "./try.ts";

/** A call that failed, as the page shows it. */
export class ApiFailure extends Error {
  status: string;
  requestId: string | undefined;

  constructor(status: string, message: string, requestId?: string) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** The call ran to its end, and the API replays this failure to the same key. */
const final = new Set(["INVALID_ARGUMENT", "FAILED_PRECONDITION", "PERMISSION_DENIED", "NOT_FOUND", "ALREADY_EXISTS"]);

/** Whether the reader's next try is a new one. After any other failure, nobody knows whether the call has run. */
export const isFinal = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (final.has(failure.status) || failure.status === "ITEM_FAILED");

interface ItemResult {
  success: boolean;
  message: string;
}

/** A call that loads. Who leaves the page ends it through `signal`: a browser has few connections to one server. */
export const load = <T>(path: string, data: object, signal: AbortSignal): Promise<T> =>
  call(path, { data }, { signal, headers: { ...json, [lookHeader]: "1" } });

/**
 * A call that changes something. Its retry has the same idempotency key. A call that changes items one by one fails with
 * the message of the first item that failed.
 */
export async function change<T>(path: string, data: object, attempt: Try): Promise<T> {
  const key = attempt.kept(["key", path, data], () => crypto.randomUUID());
  const result = await call<T>(path, { data }, { headers: { ...json, "idempotency-key": key } });
  // A call that takes items of several kinds groups their results by kind.
  const items = valuesOf(result).flatMap((each) => [each, ...valuesOf(each)]) as (Partial<ItemResult> | null)[];
  const failed = items.find((each) => each?.success === false);
  if (failed) throw new ApiFailure("ITEM_FAILED", failed.message ?? "An item failed.");
  return result;
}

const valuesOf = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];

/** Returns `data` of the reply; of replies that have another envelope, all of `result`. */
async function call<T>(path: string, body: object, init: RequestInit): Promise<T> {
  const { result } = await fetchJson<{ result: { data?: T } }>(`/console/api/${path}`, { ...post(body), ...init });
  return "data" in result ? (result.data as T) : (result as T);
}

/** What the console's server itself knows: metrics, jobs, settings, rendered messages. */
export const operation = <T>(path: string, signal: AbortSignal): Promise<T> =>
  fetchJson(`/console/operations/${path}`, { signal });

export const operate = <T>(path: string, body: object): Promise<T> =>
  fetchJson(`/console/operations/${path}`, post(body));

/** A reply that is no JSON, such as the lines of a log. */
export async function operationText(path: string, signal: AbortSignal): Promise<string> {
  const response = await send(`/console/operations/${path}`, { signal });
  if (response.ok) return response.text();
  throw await failureOf(response);
}

export interface RawReply {
  status: number;
  content: unknown;
}

/** Sends a body as it was typed, and returns also a reply that is a failure. */
export async function tryOut(method: string, path: string, body: string | undefined): Promise<RawReply> {
  const response = await send(`/console/api${path}`, { method, headers: json, ...(body !== undefined && { body }) });
  return { status: response.status, content: await response.json() };
}

const json = { "content-type": "application/json" };

const post = (body: object): RequestInit => ({
  method: "POST",
  headers: json,
  body: JSON.stringify(body),
});

export async function fetchJson<T>(url: string, init: RequestInit): Promise<T> {
  const response = await send(url, init);
  if (!response.ok) throw await failureOf(response);
  return (await response.json()) as T;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, headers: { ...init.headers, ...keyHeader() } });
  } catch (thrown) {
    if (init.signal?.aborted) throw thrown;
    throw new ApiFailure("UNREACHABLE", "The console's server does not answer. Is its process still running?");
  }
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const body = (await response.json().catch(() => undefined)) as { error?: { status: string; message: string } };
  const { status, message } = body?.error ?? { status: `HTTP_${response.status}`, message: "The reply is not JSON." };
  return new ApiFailure(status, message, requestId);
}
