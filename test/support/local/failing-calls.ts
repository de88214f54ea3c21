// A function for the bundler's test: makes one call to AWS and returns its error.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DecryptCommand, KMSClient } from "@aws-sdk/client-kms";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient, GetCommand, PutCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";

export type Operation = "get" | "put" | "transact" | "decrypt" | "send";

export async function handler({
  operation,
  input,
  endpoint,
}: {
  operation: Operation;
  input: never;
  endpoint?: string;
}) {
  const options = { maxAttempts: 3, ...(endpoint && { endpoint }) };
  const dynamodb = () => DynamoDBDocumentClient.from(new DynamoDBClient(options));
  const calls = {
    get: () => dynamodb().send(new GetCommand(input)),
    put: () => dynamodb().send(new PutCommand(input)),
    transact: () => dynamodb().send(new TransactWriteCommand(input)),
    decrypt: () => new KMSClient(options).send(new DecryptCommand(input)),
    send: () => new SQSClient(options).send(new SendMessageBatchCommand(input)),
  };
  try {
    await calls[operation]();
    return {};
  } catch (thrown) {
    const { name, message, $fault, $metadata, Item, CancellationReasons } = thrown as Record<string, unknown>;
    const { httpStatusCode, attempts } = ($metadata ?? {}) as { httpStatusCode?: number; attempts?: number };
    return { name, message, $fault, httpStatusCode, attempts, Item, CancellationReasons };
  }
}
