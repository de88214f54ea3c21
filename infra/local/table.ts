import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { tableSchema } from "../table-schema.ts";
import { placeholderAccess } from "./environment.ts";

const { partitionKey, sortKey, timeToLive, dueIndex } = tableSchema;

/** Creates the table. Returns false when it exists already. */
export async function createTable(endpoint: string, TableName: string): Promise<boolean> {
  const client = new DynamoDBClient({ endpoint, ...placeholderAccess });
  try {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [
          ...[partitionKey, sortKey, dueIndex.partitionKey].map(string),
          { AttributeName: dueIndex.sortKey, AttributeType: "N" },
        ],
        KeySchema: keySchema(partitionKey, sortKey),
        GlobalSecondaryIndexes: [
          {
            IndexName: dueIndex.name,
            KeySchema: keySchema(dueIndex.partitionKey, dueIndex.sortKey),
            Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: [...dueIndex.attributes] },
          },
        ],
      }),
    );
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName });
    const TimeToLiveSpecification = { AttributeName: timeToLive, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    return true;
  } catch (thrown) {
    if (thrown instanceof ResourceInUseException) return false;
    throw thrown;
  } finally {
    client.destroy();
  }
}

function string(AttributeName: string) {
  return { AttributeName, AttributeType: "S" as const };
}

function keySchema(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: "HASH" as const },
    { AttributeName: range, KeyType: "RANGE" as const },
  ];
}
