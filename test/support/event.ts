// Makes the event and the context of a request, as Lambda receives them from API Gateway's HTTP API.
import { randomUUID } from "node:crypto";
import type { Endpoint } from "../../lib/http/endpoint.ts";

export interface Credentials {
  apiKey: string;
  authToken: string;
}

export interface RequestOptions {
  as?: Credentials;
  data?: unknown;
  /** Replaces the body `{data}`, as text. */
  body?: string;
  isBase64Encoded?: boolean;
  headers?: Record<string, string | undefined>;
  method?: string;
  pathParameters?: Record<string, string>;
  remainingMs?: number;
}

export function eventOf(endpoint: Pick<Endpoint, "path" | "method">, options: RequestOptions): object {
  const { as, data = {}, body = JSON.stringify({ data }), isBase64Encoded = false, pathParameters } = options;
  const method = options.method ?? (endpoint.method === "FORM" ? "POST" : endpoint.method);
  const credentials = as && { "x-service-api-key": as.apiKey, "x-service-auth-token": as.authToken };
  return {
    version: "2.0",
    routeKey: `ANY ${endpoint.path}`,
    rawPath: endpoint.path,
    rawQueryString: "",
    headers: { "content-type": "application/json", ...credentials, ...options.headers },
    requestContext: {
      http: { method, path: endpoint.path, protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "test" },
      requestId: randomUUID(),
      domainName: "api.example.com",
      stage: "$default",
    },
    ...(pathParameters && { pathParameters }),
    ...(method === "GET" ? {} : { body: withOwn(body, as) }),
    isBase64Encoded,
  };
}

/** Replaces the placeholders of the documentation's examples by the caller's credentials. */
function withOwn(body: string, as: Credentials | undefined): string {
  if (!as || !body.includes('"{a')) return body;
  return body
    .replaceAll('"{apiKey}"', JSON.stringify(as.apiKey))
    .replaceAll('"{authToken}"', JSON.stringify(as.authToken));
}

export function contextOf(name: string, remainingMs = 15_000): object {
  return { functionName: name, awsRequestId: randomUUID(), getRemainingTimeInMillis: () => remainingMs };
}
