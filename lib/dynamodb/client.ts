// The connection to DynamoDB, made on first use and kept by the container. Every request counts the units it consumed.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { callSignal, countRoundTrip } from "../call.ts";
import { config } from "../config.ts";

interface Consumed {
  ReadCapacityUnits?: number | undefined;
  WriteCapacityUnits?: number | undefined;
  CapacityUnits?: number | undefined;
}

let client: DynamoDBDocumentClient | undefined;

function documentClient(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 5 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return client;
}

/** Sends one command within the call's deadline and counts it. `kind` says whether the total is read or write units. */
export async function send<Output>(command: object, kind: "read" | "write"): Promise<Output> {
  const signal = callSignal();
  const output = await documentClient().send(command as never, signal ? { abortSignal: signal } : {});
  const consumed = (output as { ConsumedCapacity?: Consumed | Consumed[] }).ConsumedCapacity;
  countRoundTrip(kind, unitsOf(consumed));
  return output as Output;
}

function unitsOf(consumed: Consumed | Consumed[] | undefined): number {
  if (!Array.isArray(consumed)) return consumed?.CapacityUnits ?? 0;
  return consumed.reduce((sum, each) => sum + (each.CapacityUnits ?? 0), 0);
}

/** Parameters of every request: the table, and that the reply includes the consumed capacity. */
export function onTable() {
  return { TableName: config.tableName(), ReturnConsumedCapacity: "TOTAL" as const };
}
