// Forwards the calls of the page to the API, and adds the keys. Only declared endpoints of one origin are called.
import type { IncomingMessage } from "node:http";
import { apiKeyHeader, authTokenHeader } from "../../../lib/http/auth.ts";
import { type Endpoint, methodsOf } from "../../../lib/http/endpoint.ts";
import { idempotencyKeyHeader } from "../../../lib/http/idempotency.ts";
import { ignoredFieldsHeader } from "../../../lib/http/unknown-fields.ts";
import { jsonIn } from "../../../lib/json.ts";
import { named, takesKeysInData } from "../../deployables.ts";
import { decoded } from "../../local/decoded.ts";
import { pathAndQuery } from "../../local/gateway-event.ts";
import { router } from "../../local/gateway-routes.ts";
import { isLook, lookHeader } from "./look.ts";
import { maskedData, maskedText } from "./mask.ts";
import { denied, failure, jsonReply, notFound, onlyLooks, type Reply } from "./reply.ts";
import { bodyOf } from "./request-body.ts";
import { secretsOf, type Target } from "./target.ts";
import type { Fetched, Upstream } from "./upstream.ts";

const prefix = "/console/api";

/** A page with a form is for the person who follows a link in a mail. */
const forwarded = named.filter(({ envelope }) => envelope !== "page");
const routeOf = router(forwarded);
const byName = new Map(forwarded.map((each) => [each.name, each]));

export interface ProxyOptions {
  target: Target;
  /** Whether the browser may make calls that change something. */
  canChange: boolean;
  upstream: Upstream;
  /** Prints a line in the terminal of the console. */
  notice(text: string): void;
}

export async function forward(request: IncomingMessage, options: ProxyOptions): Promise<Reply> {
  const { target, canChange, upstream, notice } = options;
  const path = pathAndQuery(request).path.slice(prefix.length);
  const endpoint = endpointOf(path);
  if (!endpoint) return notFound(`The API has no endpoint ${path.slice(0, 200)}. The reference at /docs lists them.`);
  const [method = "POST"] = methodsOf(endpoint);
  if (request.method !== method) return failure(405, "INVALID_ARGUMENT", `Send this call with ${method}.`);
  if (endpoint.scope !== "read" && !canChange) {
    return denied(onlyLooks);
  }
  const body = method === "POST" ? await bodyOf(request) : undefined;
  if (typeof body === "object") return body;
  const sent = withKeys({ endpoint, path, body }, target);
  if (sent === undefined) return failure(400, "INVALID_ARGUMENT", "The body is not JSON.");
  const url = new URL(sent.path, target.api);
  // A segment such as %2e%2e would lead to another path.
  if (url.href !== target.api + sent.path) return notFound(`The path ${path.slice(0, 200)} is not valid.`);
  const headers = headersOf(request, target, canChange);
  const reply = await upstream(url, { method, headers, body: sent.body }, request.socket);
  if (reply === undefined) return failure(503, "UNAVAILABLE", busy);
  if ("problem" in reply) return failure(502, "UNAVAILABLE", reply.problem);
  try {
    return shown(endpoint, reply, target, notice);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return failure(502, "UNAVAILABLE", "The API's reply is nested too deeply.");
  }
}

const busy = "Too many calls of the console run. Wait until some have ended, and try again.";

/** The gateway sends any version to the function, which refuses those that do not exist. */
function endpointOf(path: string): Endpoint | undefined {
  const found = byName.get(routeOf(path)?.target.name ?? "");
  return found && /^\/v\d+\//.test(path) && !/^\/v[12]\//.test(path) ? undefined : found;
}

function headersOf({ headers }: IncomingMessage, target: Target, canChange: boolean): Record<string, string> {
  const { apiKey, authToken, readToken = authToken } = target;
  const idempotencyKey = headers[idempotencyKeyHeader];
  return {
    "content-type": "application/json",
    [apiKeyHeader]: apiKey,
    [authTokenHeader]: canChange ? authToken : readToken,
    ...(typeof idempotencyKey === "string" && { [idempotencyKeyHeader]: idempotencyKey }),
    ...(isLook(headers) && { [lookHeader]: "1" }),
  };
}

type ApiReply = Exclude<Fetched, { problem: string }>;

function shown(
  endpoint: Endpoint,
  { status, headers, text }: ApiReply,
  target: Target,
  notice: ProxyOptions["notice"],
) {
  const content = jsonIn(text) as Content | undefined;
  if (content === undefined) return failure(502, "UNAVAILABLE", `The API's reply with HTTP ${status} is not JSON.`);
  const secrets = secretsOf(target);
  const hidden = withoutFields(endpoint, content, ({ field, value }) => {
    // A list of tokens has only their beginnings.
    if (printing.has(endpoint.name) && isCredential(value))
      notice(`${labels[field] ?? field}  ${value}${ofWhat(content)}`);
    if (!value.includes("…")) secrets.push(value);
  });
  const reply = jsonReply(hidden, status, passedHeaders(headers, secrets));
  return { ...reply, body: maskedText(String(reply.body), secrets) };
}

/** Calls that are made to get a credential. The terminal shows it, since the page cannot. */
const printing = new Set(["authtokens-create", "token-generate", "webhook-secret-get", "webhook-secret-rotate"]);
const isCredential = (value: string) => /^[\x21-\x7e]+$/.test(value);
const labels: Record<string, string> = { authToken: "Auth token", token: "User token", secret: "Secret" };

/** Two secrets in the terminal differ by their endpoints. */
function ofWhat(content: Content): string {
  const endpointId = content?.result?.data?.endpointId;
  return typeof endpointId === "string" ? `  of ${endpointId}` : "";
}

/** A reply of the API; null is JSON too. */
type Content = { result?: { data?: { endpointId?: unknown } } } | null;

function withoutFields(endpoint: Endpoint, content: Content, found: Parameters<typeof maskedData>[2]): unknown {
  if (endpoint.envelope === "raw") return maskedData(content, endpoint, found);
  const data = content?.result?.data;
  if (data === undefined) return content;
  return { ...content, result: { ...content?.result, data: maskedData(data, endpoint, found) } };
}

interface Sent {
  endpoint: Endpoint;
  path: string;
  body: string | undefined;
}

/**
 * Some calls have the keys in the path or in the data too. The page cannot know them, so they are added here. Undefined:
 * a body that needs them is not JSON.
 */
function withKeys({ endpoint, path, body }: Sent, { apiKey, authToken }: Target): Omit<Sent, "endpoint"> | undefined {
  if (endpoint.path.includes("{apiKey}")) return { path: endpoint.path.replace("{apiKey}", apiKey), body };
  if (body === undefined || !takesKeysInData(endpoint)) return { path, body };
  const content = jsonIn(body) as { data?: object } | null | undefined;
  if (content === undefined) return undefined;
  return { path, body: JSON.stringify({ ...content, data: { ...content?.data, apiKey, authToken } }) };
}

const passed = ["x-request-id", ignoredFieldsHeader, "idempotent-replayed", "retry-after"];
const lengthMax = 1_024;

/** The headers of a reply that the page gets. One with a secret stays out. */
function passedHeaders(headers: Headers, secrets: readonly string[]): Record<string, string> {
  const hasSecret = (text: string) => maskedText(text, secrets) !== text;
  const values = passed.map((name) => [name, headers.get(name) ?? ""] as const);
  const shown = values.filter(
    ([, text]) => text && text.length <= lengthMax && !hasSecret(text) && !hasSecret(decoded(text)),
  );
  return Object.fromEntries(shown);
}
