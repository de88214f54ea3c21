import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { ApiError } from "../errors.ts";
import { type Endpoint, methodsOf } from "./endpoint.ts";

export interface EndpointRequest {
  method: string;
  path: string;
  host: string;
}

/** The request as its endpoint sees it. The gateway leaves out the body of a reply to HEAD. */
export function requestOf(declared: Endpoint, { requestContext }: APIGatewayProxyEventV2): EndpointRequest {
  const { method, path } = requestContext.http;
  const isHead = method === "HEAD" && methodsOf(declared).includes("GET");
  return { method: isHead ? "GET" : method, path, host: requestContext.domainName };
}

/** The gateway routes every method of a path to its endpoint (DECISIONS.md#unknown-paths-and-methods). */
export function requireMethod(declared: Endpoint, { method }: EndpointRequest): void {
  const methods = methodsOf(declared);
  if (declared.method === "ANY" || methods.includes(method)) return;
  throw new ApiError("INVALID_ARGUMENT", `The method ${method} is not allowed here: use ${methods.join(" or ")}.`, {
    http: { code: 405, headers: { allow: methods.join(", ") } },
  });
}
