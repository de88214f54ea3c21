// Converts a request to the event of an HTTP API, payload format 2.0, as API Gateway does.
import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Route } from "./gateway-routes.ts";

/** A body of another type, or with a content encoding, is passed in base64. */
const textType = /^\s*(?:text\/|application\/(?:json|javascript|xml)\s*(?:;|$))/i;

export function gatewayEvent(request: IncomingMessage, body: Buffer, route: Route): APIGatewayProxyEventV2 {
  const { path, query } = pathAndQuery(request);
  const { cookie, ...headers } = headersOf(request);
  const now = new Date();
  const isText = textType.test(headers["content-type"] ?? "") && !headers["content-encoding"] && isUtf8(body);
  const queryParameters = parametersOf(query);
  return {
    version: "2.0",
    routeKey: route.routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers,
    ...(queryParameters && { queryStringParameters: queryParameters }),
    requestContext: {
      accountId: "local",
      apiId: "local",
      domainName: headers.host ?? "",
      domainPrefix: "local",
      http: {
        method: request.method ?? "",
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? "",
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: randomUUID(),
      routeKey: route.routeKey,
      stage: "$default",
      time: timeOf(now),
      timeEpoch: now.getTime(),
    },
    ...(route.pathParameters && { pathParameters: route.pathParameters }),
    ...(body.length > 0 && { body: body.toString(isText ? "utf8" : "base64") }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** Returns path and query string without decoding them. */
export function pathAndQuery({ url = "/" }: IncomingMessage): { path: string; query: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/** Returns headers with lower-case names. The values of a repeated header are joined. */
function headersOf(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    headers[name] = values.join(name === "cookie" ? "; " : ",");
  }
  return headers;
}

function parametersOf(query: string): Record<string, string> | undefined {
  if (!query) return undefined;
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(",")]));
}

/** Formats the time as API Gateway does: 21/Nov/2026:14:33:02 +0000. */
function timeOf(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}
