import { randomUUID } from "node:crypto";
import type { Endpoint } from "../../lib/http/endpoint.ts";

export interface Credentials {
  apiKey: string;
  authToken: string;
}

/** The event of a request, as API Gateway's HTTP API sends it. */
export function eventOf({ path, method }: Pick<Endpoint, "path" | "method">, as: Credentials, data: object): object {
  return {
    version: "2.0",
    routeKey: `ANY ${path}`,
    rawPath: path,
    rawQueryString: "",
    headers: {
      "content-type": "application/json",
      "x-service-api-key": as.apiKey,
      "x-service-auth-token": as.authToken,
    },
    requestContext: {
      http: { method: method === "ANY" ? "GET" : method, path, protocol: "HTTP/1.1", sourceIp: "127.0.0.1" },
      requestId: randomUUID(),
      domainName: "api.example.com",
      stage: "$default",
    },
    // Only one endpoint has a parameter in its path.
    pathParameters: { apiKey: as.apiKey },
    ...(method === "POST" && { body: JSON.stringify({ data }) }),
    isBase64Encoded: false,
  };
}

export const contextOf = () => ({ awsRequestId: randomUUID(), getRemainingTimeInMillis: () => 25_000 });
