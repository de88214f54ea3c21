// Sends the calls of the smoke test, as a client of the service does.
import { setTimeout as sleep } from "node:timers/promises";
import { beginning } from "../../lib/beginning.ts";
import { config } from "../../lib/config.ts";
import { apiKeyHeader, authTokenHeader } from "../../lib/http/auth.ts";
import { jsonIn } from "../../lib/json.ts";

export interface Target {
  /** Without a slash at its end. */
  url: string;
  apiKey: string;
  authToken: string;
}

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each check reads the fields that it needs
  body: any;
}

interface Sent {
  method?: string;
  path: string;
  data?: unknown;
  authToken?: string;
  /** In place of the keys. */
  headers?: Record<string, string>;
}

/** API Gateway ends a call after 30 s. */
const timeoutMs = 35_000;
/** The gateway refuses calls while Lambda has no room or is deploying: 429 and 503. */
const attempts = 4;
const pauseMs = 1_000;

/** Sends one call. Repeats it when the service is busy. */
export async function request(target: Target, sent: Sent): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const reply = await requestOnce(target, sent);
    if ((reply.status !== 429 && reply.status !== 503) || attempt === attempts) return reply;
    await sleep(pauseMs * attempt);
  }
}

async function requestOnce(target: Target, { method = "POST", path, data, ...sent }: Sent): Promise<Reply> {
  const keys = { [apiKeyHeader]: target.apiKey, [authTokenHeader]: sent.authToken ?? target.authToken };
  const response = await fetch(target.url + path, {
    method,
    headers: { "content-type": "application/json", ...(sent.headers ?? keys) },
    ...(data !== undefined && { body: JSON.stringify({ data }) }),
    // A redirect would take the keys to another address.
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs * config.slowness()),
  });
  // A proxy's page is no JSON: `statusOf` shows the status.
  const body = jsonIn(await response.text()) ?? {};
  return { status: response.status, headers: response.headers, body };
}

/** What a reply says, for a message: no token and no data of the workspace. */
export function statusOf({ status, headers, body }: Reply): string {
  const says = body?.error?.message ?? body?.message;
  const id = headers.get("x-request-id") ?? headers.get("apigw-requestid");
  return [
    `HTTP ${status}`,
    body?.error?.status,
    typeof says === "string" && beginning(says, 300),
    id && `request ${id}`,
  ]
    .filter(Boolean)
    .join(", ");
}
