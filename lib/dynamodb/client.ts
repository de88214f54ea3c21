// The client for DynamoDB, created on first use and kept by the container. It counts the units that requests consume.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { countRoundTrip, withinCall } from "../call.ts";
import { config } from "../config.ts";

interface Consumed {
  CapacityUnits?: number | undefined;
}

let client: DynamoDBDocumentClient | undefined;

function documentClient(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 5 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return client;
}

/** Sends one command within the call's deadline and counts its units. `kind`: the kind of these units. */
export async function send<Output>(command: object, kind: "read" | "write"): Promise<Output> {
  const output = await documentClient().send(command as never, withinCall());
  const consumed = (output as { ConsumedCapacity?: Consumed | Consumed[] }).ConsumedCapacity;
  countRoundTrip(kind, unitsOf(consumed));
  return output as Output;
}

function unitsOf(consumed: Consumed | Consumed[] | undefined): number {
  if (!Array.isArray(consumed)) return consumed?.CapacityUnits ?? 0;
  return consumed.reduce((sum, each) => sum + (each.CapacityUnits ?? 0), 0);
}

/** Parameters of every request: the table's name, and that the reply states the consumed capacity. */
export function onTable() {
  return { TableName: config.tableName(), ReturnConsumedCapacity: "TOTAL" as const };
}
