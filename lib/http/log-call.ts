// What a call turned out to be: for its caller, and for the log.
import { type CallRecord, costOf } from "../call.ts";
import { ApiError } from "../errors.ts";
import { log } from "../log.ts";
import { type Endpoint, errorsOf } from "./endpoint.ts";
import type { Answer } from "./envelope.ts";

/** What is known of a call while it goes on. */
export interface Trace {
  workspace?: string;
  failure?: ApiError;
  /** The answer is an earlier call's. */
  isReplay?: boolean;
}

/** What the caller is told. Only an ApiError's own words are shown; everything else is INTERNAL or, busy, UNAVAILABLE. */
export function toApiError(thrown: unknown, declared: Endpoint): ApiError {
  if (thrown instanceof ApiError) {
    if (!errorsOf(declared).includes(thrown.status)) {
      log("error", "undeclared status", { status: thrown.status, endpoint: declared.name });
    }
    return thrown;
  }
  const { name, $retryable } = (thrown ?? {}) as { name?: string; $retryable?: object };
  const busy = $retryable || /Throttl|ThroughputExceeded|RequestLimit|TimeoutError|LimitExceeded/.test(name ?? "");
  if (busy) return new ApiError("UNAVAILABLE", "The service is busy. Try again.", { cause: thrown });
  return new ApiError("INTERNAL", "Something went wrong on our side.", { cause: thrown });
}

/** One line a call. */
export function logCall(
  declared: Endpoint,
  record: CallRecord,
  trace: Trace,
  { statusCode }: Answer,
  durationMs: number,
): void {
  const { failure, workspace, isReplay } = trace;
  log(statusCode >= 500 ? "error" : "info", "call", {
    requestId: record.requestId,
    endpoint: declared.name,
    workspace,
    status: failure?.status ?? (isReplay ? "REPLAYED" : "OK"),
    http: statusCode,
    durationMs: Math.round(durationMs * 10) / 10,
    ...costOf(record),
    ...(failure?.cause !== undefined && statusCode >= 500 && { cause: failure.cause }),
  });
}
