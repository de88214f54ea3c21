// Calls the console's server, which adds the keys of the API. No key of the API reaches the browser.
import { lookHeader } from "../server/look.ts";

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

export const failureOf = (thrown: unknown): ApiFailure =>
  thrown instanceof ApiFailure ? thrown : new ApiFailure("FAILED", String(thrown));

/** The API replays these failures to the same idempotency key. After any other, nobody knows whether the call has run. */
const final = new Set([
  ...["INVALID_ARGUMENT", "FAILED_PRECONDITION", "PERMISSION_DENIED", "NOT_FOUND", "ALREADY_EXISTS", "ITEM_FAILED"],
]);

/** Whether the reader's next try is a new one. */
export const isFinal = ({ status }: ApiFailure): boolean => final.has(status);

/** Returns the idempotency key of the next call of a change. */
export type KeyOf = (call: unknown) => string;

/** `keys`: those of the former tries. A retry sends the same keys, so the API does nothing twice. */
export function keysOf(keys: Map<string, string>): KeyOf {
  let calls = 0;
  return (call) => {
    const name = `${++calls} ${JSON.stringify(call)}`;
    const key = keys.get(name) ?? crypto.randomUUID();
    keys.set(name, key);
    return key;
  };
}

/** A call that only loads. */
export const load = <T>(path: string, data: object, signal?: AbortSignal): Promise<T> =>
  call(path, data, { ...(signal && { signal }), headers: { [lookHeader]: "1" } });

/** Calls an endpoint that changes items one by one. Fails with the message of the first item that failed. */
export async function change<T>(path: string, data: object, keyOf: KeyOf): Promise<T> {
  const result = await call<T>(path, data, { headers: { "idempotency-key": keyOf([path, data]) } });
  // A call that takes items of several kinds groups their results by kind.
  const items = valuesOf(result).flatMap((each) => [each, ...valuesOf(each)]) as (Partial<ItemResult> | null)[];
  const failed = items.find((each) => each?.success === false);
  if (failed) throw new ApiFailure("ITEM_FAILED", failed.message ?? "An item failed.");
  return result;
}

interface ItemResult {
  success: boolean;
  message: string;
}

const valuesOf = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];

async function call<T>(path: string, data: object, init: RequestInit): Promise<T> {
  const { result } = await fetchJson<{ result: { data?: T } }>(`/console/api/${path}`, { ...post({ data }), ...init });
  // Some replies have another envelope.
  return "data" in result ? (result.data as T) : (result as T);
}

/** What the console's server itself knows: jobs, settings, rendered messages. */
export const operation = <T>(path: string, signal: AbortSignal): Promise<T> =>
  fetchJson(`/console/operations/${path}`, { signal });

export const operate = (path: string, body: object): Promise<unknown> =>
  fetchJson(`/console/operations/${path}`, post(body));

const post = (body: object): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

export interface RawReply {
  status: number;
  content: unknown;
}

/** Sends a body as it was typed, and returns also a reply that is a failure. */
export async function tryOut(method: string, path: string, body: string | undefined, keyOf: KeyOf): Promise<RawReply> {
  const headers = { "idempotency-key": keyOf([path, body]) };
  const response = await send(`/console/api${path}`, { method, headers, ...(body !== undefined && { body }) });
  return { status: response.status, content: await response.json() };
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const headers = { "content-type": "application/json", ...init.headers, ...consoleKey() };
  return fetch(url, { ...init, headers }).catch((thrown: unknown) => {
    if (init.signal?.aborted) throw thrown;
    throw new ApiFailure("UNREACHABLE", "The console's server does not answer. Is its process still running?");
  });
}

export async function fetchJson<T>(url: string, init: RequestInit): Promise<T> {
  const response = await send(url, init);
  if (response.ok) return (await response.json()) as T;
  const body = (await response.json().catch(() => undefined)) as { error?: { status: string; message: string } };
  const { status, message } = body?.error ?? { status: `HTTP_${response.status}`, message: "The reply is not JSON." };
  throw new ApiFailure(status, message, response.headers.get("x-request-id") ?? undefined);
}

const keyName = "console-key";

/** Keeps the key that the printed address has brought, and takes it out of the address bar. */
export function keepConsoleKey(): void {
  const [, key] = /^#console-key=([\w-]+)$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  localStorage.setItem(keyName, key);
}

/** The key of this origin. A cookie goes to every server of this machine; the browser shows the key to this port only. */
function consoleKey(): Record<string, string> {
  const key = localStorage.getItem(keyName);
  return key ? { "x-console-key": key } : {};
}
