// The result of a call: the error for its caller, and the line of the log.
import { type Call, causedOf, costOf } from "../call.ts";
import { isBusy } from "../dynamodb/busy.ts";
import { ConflictError } from "../dynamodb/retry-on-conflict.ts";
import { ApiError } from "../errors.ts";
import { log, logMeasured } from "../log.ts";
import { type Endpoint, errorsOf } from "./endpoint.ts";
import type { HttpReply } from "./envelope.ts";
import type { StoreReply } from "./idempotency.ts";

/** A call of an endpoint, with the facts that are known so far. */
export interface EndpointCall {
  declared: Endpoint;
  call: Call;
  workspace?: string;
  failure?: ApiError | undefined;
  /** The reply was stored by an earlier call. Only final outcomes are stored, so it is never an unexpected failure. */
  isReplay?: boolean;
  /** Called after the endpoint has run. */
  storeReply?: StoreReply;
  /** Counts calls beside the endpoint's work. It never throws. */
  booking?: Promise<unknown> | undefined;
  /** Fields of the request that the endpoint ignores. */
  ignored?: readonly string[];
}

/**
 * The error for the caller. Only an ApiError keeps its own message. Temporary failures of AWS become UNAVAILABLE,
 * anything else INTERNAL.
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
  if (isBusy(thrown)) return new ApiError("UNAVAILABLE", "The service is busy. Try again.", { cause: thrown });
  return new ApiError("INTERNAL", "Something went wrong on our side.", { cause: thrown });
}

export function logCall(answering: EndpointCall, { statusCode }: HttpReply, durationMs: number): void {
  const { declared, call, failure, workspace, isReplay } = answering;
  const isExpected = failure ? failure.isExpected : isReplay === true;
  const isFailure = statusCode >= 500 && !isExpected;
  const { kmsCalls, ...cost } = costOf(call);
  const fields = {
    endpoint: declared.name,
    workspace,
    authTokenId: call.authTokenId,
    status: failure?.status ?? (isReplay ? "REPLAYED" : "OK"),
    http: statusCode,
    ...cost,
    kmsCalls,
    ...causedOf(call),
    ...(failure?.cause !== undefined && statusCode >= 500 && { cause: failure.cause }),
  };
  // A call has a workspace as soon as its credentials hold.
  const isRefused = failure?.status === "PERMISSION_DENIED" && workspace === undefined;
  logMeasured(isFailure ? "error" : "info", "call", fields, {
    calls: 1,
    failures: Number(isFailure),
    expectedFailures: Number(statusCode >= 500 && !isFailure),
    throttled: Number(statusCode === 429),
    refusedCredentials: Number(isRefused),
    durationMs: Math.round(durationMs * 10) / 10,
    ...cost,
  });
}
