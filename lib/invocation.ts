import type { Invocation } from "./call.ts";
import { config } from "./config.ts";

let isCold = true;

/** Describes an invocation of this container. Call it once in each. */
export function newInvocation({ awsRequestId }: { awsRequestId: string }): Invocation {
  const cold_start = isCold;
  isCold = false;
  return { service: config.serviceName(), cold_start, function_request_id: awsRequestId };
}
