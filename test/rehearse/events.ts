// The event of an HTTP API for a request, as API Gateway makes it.
import type { IncomingMessage } from "node:http";
import { endpoints } from "../../infra/deployables.ts";
import { gatewayEvent } from "../../infra/local/gateway-event.ts";
import { router } from "../../infra/local/gateway-routes.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Credentials } from "../support/event.ts";

const routeOf = router(endpoints);

export interface Sent {
  as: Credentials;
  data: unknown;
  headers?: Record<string, string>;
}

export function eventOf({ path, method }: Endpoint, { as, data, headers = {} }: Sent): object {
  const url = path.replace("{apiKey}", as.apiKey).replace("{proxy+}", "no/such/path");
  const route = routeOf(url);
  if (!route) throw new Error(`No route serves ${url}.`);
  const all = {
    host: "api.example.com",
    "content-type": "application/json",
    "x-service-api-key": as.apiKey,
    "x-service-auth-token": as.authToken,
    ...headers,
  };
  const request = {
    method: method === "ANY" ? "POST" : method,
    url,
    httpVersion: "1.1",
    headersDistinct: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])),
    socket: { remoteAddress: "192.0.2.1" },
  };
  const body = method === "GET" ? "" : JSON.stringify({ data }, withOwn(as));
  return gatewayEvent(request as unknown as IncomingMessage, Buffer.from(body), route);
}

/** Replaces the placeholders of the documentation's examples. */
function withOwn({ apiKey, authToken }: Credentials) {
  const own: Record<string, string> = { "{apiKey}": apiKey, "{authToken}": authToken };
  return (_: string, value: unknown) => (typeof value === "string" ? (own[value] ?? value) : value);
}
