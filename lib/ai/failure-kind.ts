import { APICallError, NoObjectGeneratedError } from "ai";
import { OutboundError } from "../net/outbound-error.ts";
import type { FailureKind } from "./failure.ts";

/** The kind of an error that the SDK or the HTTP client below it threw. */
export function failureKindOf(thrown: unknown): FailureKind {
  const outbound = inChain(thrown, (error) => error instanceof OutboundError);
  if (outbound)
    return outbound.kind === "timeout" ? "timeout" : outbound.kind === "too_large" ? "badAnswer" : "unreachable";
  const refused = inChain(thrown, (error) => APICallError.isInstance(error));
  if (refused) return ofStatus(refused.statusCode ?? 0, refused.responseBody ?? "");
  if (NoObjectGeneratedError.isInstance(thrown)) {
    if (thrown.finishReason === "length") return "cutOff";
    if (thrown.finishReason === "content-filter") return "refusal";
  }
  return "badAnswer";
}

function ofStatus(status: number, body: string): FailureKind {
  // Google reports a wrong key as an invalid argument (400).
  if (status === 401 || status === 403 || /API_KEY_INVALID/.test(body)) return "refusedKey";
  if (status === 404) return "unknownModel";
  if (status === 429) return "rateLimit";
  if (status === 408 || status === 504) return "timeout";
  if (status >= 500) return "overload";
  if (status >= 400) return "badRequest";
  return "badAnswer";
}

/** The first match in the chain of causes. The depth is limited, since an error can be its own cause. */
function inChain<Found>(thrown: unknown, isMatch: (error: unknown) => error is Found): Found | undefined {
  let error = thrown;
  for (let depth = 0; depth < 8 && error !== undefined; depth++) {
    if (isMatch(error)) return error;
    error = (error as { cause?: unknown } | null)?.cause;
  }
  return undefined;
}
