import { describe, expect, it } from "vitest";
import { BusyError, isBusy, isBusyName } from "../../../lib/dynamodb/busy.ts";

const named = (name: string, more: object = {}) => Object.assign(new Error("refused"), { name, ...more });
const withStatus = (httpStatusCode: number) => named("Unnamed", { $metadata: { httpStatusCode } });
const withCode = (code: string) => named("Error", { code });

describe("isBusy", () => {
  it.each([
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "LimitExceededException",
    "TooManyRequestsException",
    "SlowDown",
    "TransactionConflictException",
    "TransactionInProgressException",
    "ReplicatedWriteConflictException",
    "InternalServerError",
    "InternalFailure",
    "ServiceUnavailable",
    "TimeoutError",
    "RequestTimeout",
    "KMSInternalException",
    "DependencyTimeoutException",
    "KeyUnavailableException",
  ])("is true for AWS's error %s", (name) => expect(isBusy(named(name))).toBe(true));

  it.each([429, 500, 502, 503, 504])("is true for the HTTP status %i", (status) =>
    expect(isBusy(withStatus(status))).toBe(true),
  );

  it.each([
    "ECONNRESET",
    "ECONNREFUSED",
    "EPIPE",
    "ETIMEDOUT",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENOTFOUND",
    "EAI_AGAIN",
  ])("is true for a connection that failed with %s, and for an error that it caused", (code) => {
    expect(isBusy(withCode(code))).toBe(true);
    expect(isBusy(new Error("outer", { cause: new AggregateError([], "inner", { cause: withCode(code) }) }))).toBe(
      true,
    );
  });

  it("is true for what the SDK marks as retryable, and for BusyError", () => {
    expect(isBusy(named("Unnamed", { $retryable: {} }))).toBe(true);
    expect(isBusy(new BusyError())).toBe(true);
  });

  it.each([
    "ValidationException",
    "AccessDeniedException",
    "ResourceNotFoundException",
    "ConditionalCheckFailedException",
    "InvalidCiphertextException",
    "AbortError",
    "TypeError",
  ])("is false for %s", (name) => expect(isBusy(named(name, { $metadata: { httpStatusCode: 400 } }))).toBe(false));

  it.each(["a text", null, undefined, 0])("is false for the thrown value %s", (thrown) =>
    expect(isBusy(thrown)).toBe(false),
  );

  it("ends when an error is its own cause", () => {
    const error = named("TypeError");
    error.cause = error;
    expect(isBusy(error)).toBe(false);
  });
});

describe("isBusyName", () => {
  it.each(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"])(
    "is true for the reason %s of a cancelled transaction",
    (code) => expect(isBusyName(code)).toBe(true),
  );

  it.each(["None", "ConditionalCheckFailed", "ValidationError", "ItemCollectionSizeLimitExceeded", "AccessDenied"])(
    "is false for the reason %s",
    (code) => expect(isBusyName(code)).toBe(false),
  );
});
