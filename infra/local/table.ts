import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import {
  attributeDefinition,
  dueIndexAttributes,
  dueIndexCreation,
  keySchema,
  tableSchema,
} from "../stack/table-schema.ts";
import { placeholderAccess } from "./environment.ts";

const { partitionKey, sortKey, timeToLive } = tableSchema;

/** Creates the table. Returns false when it exists. */
export async function createTable(endpoint: string, TableName: string): Promise<boolean> {
  const client = new DynamoDBClient({ endpoint, ...placeholderAccess });
  try {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [
          attributeDefinition(partitionKey, "S"),
          attributeDefinition(sortKey, "S"),
          ...dueIndexAttributes,
        ],
        KeySchema: keySchema(partitionKey, sortKey),
        GlobalSecondaryIndexes: [dueIndexCreation],
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
