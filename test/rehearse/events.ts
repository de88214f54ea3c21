// The event of an HTTP API for a request, as API Gateway makes it for a route of the template.
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { gatewayEvent } from "../../infra/local/gateway-event.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Credentials } from "../support/event.ts";
import { type DeployedRoute, type Match, matchOf } from "./aws/routes.ts";

export interface Sent {
  as: Credentials;
  data: unknown;
  /** Of the path. */
  parameters?: Record<string, string>;
  headers?: Record<string, string>;
  /** Headers in place of the two keys. */
  keys?: Record<string, string>;
  method?: string;
  /** Replaces the body `{data}`. */
  body?: Buffer;
}

/** The route of a request for the endpoint, and the event that its function gets. */
export function eventOf(
  routes: readonly DeployedRoute[],
  { name, path, method }: Endpoint,
  { as, data, parameters = {}, headers = {}, ...sent }: Sent,
): { route: DeployedRoute; event: object } {
  const url = path
    .replace("{token}", parameters.token ?? "")
    .replace("{apiKey}", as.apiKey)
    .replace("{proxy+}", "no/such/path");
  const match: Match | undefined = matchOf(routes, url);
  if (!match) throw new Error(`No route serves ${url}, the path of ${name}.`);
  const { route, pathParameters } = match;
  const { keys = { "x-service-api-key": as.apiKey, "x-service-auth-token": as.authToken } } = sent;
  const all = {
    host: "api.example.com",
    "content-type": "application/json",
    ...keys,
    // What API Gateway adds.
    "x-amzn-trace-id": `Root=1-${Math.floor(Date.now() / 1_000).toString(16)}-${randomBytes(12).toString("hex")}`,
    "x-forwarded-for": "192.0.2.1",
    "x-forwarded-port": "443",
    "x-forwarded-proto": "https",
    ...headers,
  };
  const request = {
    method: sent.method ?? (method === "ANY" || method === "FORM" ? "POST" : method),
    url,
    httpVersion: "1.1",
    headersDistinct: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])),
    socket: { remoteAddress: "192.0.2.1" },
  };
  const body = sent.body ?? (method === "GET" ? Buffer.of() : Buffer.from(JSON.stringify({ data }, withOwn(as))));
  const target = { name, path, timeoutSeconds: 0 };
  const event = gatewayEvent(request as unknown as IncomingMessage, body, { ...route, target, pathParameters });
  return { route, event };
}

/** The event of EventBridge for a schedule. */
export function timerEvent(ruleArn: string, time: Date): object {
  return {
    version: "0",
    id: crypto.randomUUID(),
    "detail-type": "Scheduled Event",
    source: "aws.events",
    account: "000000000000",
    time: `${time.toISOString().slice(0, 19)}Z`,
    region: "us-east-1",
    resources: [ruleArn],
    detail: {},
  };
}

/** Replaces the placeholders of the documentation's examples. */
function withOwn({ apiKey, authToken }: Credentials) {
  const own: Record<string, string> = { "{apiKey}": apiKey, "{authToken}": authToken };
  return (_: string, value: unknown) => (typeof value === "string" ? (own[value] ?? value) : value);
}
