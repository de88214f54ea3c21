// Replies with which DynamoDB refuses requests.

export interface Reply {
  status: number;
  body: string | Buffer;
}

const prefix = "com.amazonaws.dynamodb.v20120810#";

function refusal(status: number, name: string, message: string, more: object = {}): Reply {
  return { status, body: JSON.stringify({ __type: `${prefix}${name}`, message, ...more }) };
}

const conflictMessage = "Transaction is ongoing for the item";
const throttledMessage = "Throughput exceeds the current capacity of your table or index.";

export const internalServerError = () => refusal(500, "InternalServerError", "Internal server error");

export const throttled = (name: "ProvisionedThroughputExceededException" | "ThrottlingException") =>
  refusal(400, name, throttledMessage);

export const invalid = (message: string) => refusal(400, "ValidationException", message);

export const conflict = () => refusal(400, "TransactionConflictException", conflictMessage);

export const transactionInProgress = () =>
  refusal(
    400,
    "TransactionInProgressException",
    "The transaction with the given request token is already in progress.",
  );

const messages = { None: undefined, TransactionConflict: conflictMessage, ThrottlingError: throttledMessage };

/** A cancelled transaction, with a reason for each item. */
export function cancelled(codes: readonly (keyof typeof messages)[]): Reply {
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(", ")}]`;
  const reasons = codes.map((Code) => ({ Code, ...(messages[Code] && { Message: messages[Code] }) }));
  // The SDKs read the message of this error under the name `Message`.
  return refusal(400, "TransactionCanceledException", message, { Message: message, CancellationReasons: reasons });
}
