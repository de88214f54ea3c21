import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { attributeDefinition, dueIndexAttributes, dueIndexCreation, keySchema, tableSchema } from "../table-schema.ts";
import { placeholderAccess } from "./environment.ts";

const { partitionKey, sortKey, timeToLive, dueIndex } = tableSchema;
const indexPollMs = 100;

/** Creates the table. Returns false when it exists. If it lacks the index, the index is added then. */
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
    if (!(thrown instanceof ResourceInUseException)) throw thrown;
    await addMissingIndex(client, TableName);
    return false;
  } finally {
    client.destroy();
  }
}

async function addMissingIndex(client: DynamoDBClient, TableName: string): Promise<void> {
  const stored = async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    return Table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === dueIndex.name);
  };
  if (!(await stored())) {
    const GlobalSecondaryIndexUpdates = [{ Create: dueIndexCreation }];
    const update = { TableName, AttributeDefinitions: dueIndexAttributes, GlobalSecondaryIndexUpdates };
    await client.send(new UpdateTableCommand(update)).catch(async (thrown: unknown) => {
      // Another process can have added it meanwhile.
      if (!(await stored())) throw thrown;
    });
  }
  while ((await stored())?.IndexStatus === "CREATING") await sleep(indexPollMs);
}
