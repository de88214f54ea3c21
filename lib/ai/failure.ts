// Why a model call failed. Vendors' messages are not used: they can repeat the key, the prompt or an address.
import { ApiError, type ErrorStatus } from "../errors.ts";
import { vendors } from "../schema/ai-vendors.ts";
import type { AiVendor } from "../schema/setting-names.ts";

const kinds = {
  noKey: ["FAILED_PRECONDITION", "No API key for $ is configured: set it in the workspace's AI model configuration."],
  refusedAddress: [
    "FAILED_PRECONDITION",
    "The base URL of $ in the workspace's AI model configuration is not allowed: it must be https, and the operator of this service may limit its origin.",
  ],
  refusedKey: ["FAILED_PRECONDITION", "$ refused the API key of the workspace's AI model configuration."],
  rateLimit: ["UNAVAILABLE", "The rate limit or quota at $ is used up. Try again later."],
  overload: ["UNAVAILABLE", "$ is overloaded or down. Try again later."],
  unreachable: ["UNAVAILABLE", "$ could not be reached at its base URL."],
  timeout: ["DEADLINE_EXCEEDED", "$ did not answer in time."],
  refusal: ["INTERNAL", "The model declined to answer."],
  cutOff: ["INTERNAL", "The model's answer was cut off at its length limit."],
  unknownModel: ["INTERNAL", "$ does not know the model, or the API key may not use it."],
  otherApi: ["INTERNAL", "$ offers the model only in another API than the one for chats."],
  tooLong: ["INTERNAL", "The text is too long for the model."],
  outputLimit: ["INTERNAL", "$ did not accept the request: the model writes fewer tokens than the service asks for."],
  badRequest: ["INTERNAL", "$ did not accept the request."],
  badAnswer: ["INTERNAL", "The model gave no usable answer."],
} as const satisfies Record<string, readonly [ErrorStatus, string]>;

export type FailureKind = keyof typeof kinds;

export interface Failure {
  kind: FailureKind;
  /** Public. */
  message: string;
  /** For the log. */
  cause?: unknown;
}

export function failureOf(kind: FailureKind, vendor: AiVendor, cause?: unknown): Failure {
  return { kind, message: kinds[kind][1].replace("$", vendors[vendor].label), cause };
}

/**
 * The failure as an error with the status of its kind. It is expected: the workspace chooses the vendor and has its key.
 */
export function modelError({ kind, message, cause }: Failure): ApiError {
  return new ApiError(kinds[kind][0], message, { cause, isExpected: true });
}
