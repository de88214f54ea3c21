// The result of a call: as an error for its caller, and as a line of the log.
import { type CallRecord, costOf } from "../call.ts";
import { ConflictError } from "../dynamodb/retry-on-conflict.ts";
import { ApiError } from "../errors.ts";
import { log } from "../log.ts";
import { type Endpoint, errorsOf } from "./endpoint.ts";
import type { HttpReply } from "./envelope.ts";

/** What is known of a call while it runs. */
export interface Trace {
  workspace?: string;
  failure?: ApiError;
  /** The reply is a stored one of an earlier call. */
  isReplay?: boolean;
}

/**
 * The error that the caller gets. Only an ApiError shows its own message. Conflicts and throttling are UNAVAILABLE,
 * anything else is INTERNAL.
 */
export function toApiError(thrown: unknown, declared: Endpoint): ApiError {
  if (thrown instanceof ApiError) {
    if (!errorsOf(declared).includes(thrown.status)) {
      log("error", "undeclared status", { status: thrown.status, endpoint: declared.name });
    }
    return thrown;
  }
  if (thrown instanceof ConflictError) {
    const message = "Other calls are changing the same data. Try again.";
    return new ApiError("UNAVAILABLE", message, { cause: thrown });
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
  { statusCode }: HttpReply,
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
