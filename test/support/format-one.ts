// A table as the releases of format 1 wrote it: webhook endpoints beside the credentials of their workspace, jobs in
// another index, feature data and preferences without lists of them, and settings without what messages want.
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { placeholderAccess } from "../../infra/local/environment.ts";
import { attributeDefinition, keySchema, tableSchema } from "../../infra/table-schema.ts";
import type { Item } from "../../lib/dynamodb/key.ts";

const { partitionKey, sortKey, formerIndex } = tableSchema;

/** The items in format 1. */
export const inFormatOne = (items: readonly Item[]): Item[] =>
  inFormatThree(items)
    .filter(isKnown)
    .map((item) => {
      if (item.entity === "feature") {
        const { position: _position, writtenAt: _writtenAt, ...feature } = item;
        return feature as Item;
      }
      if (item.entity === "format") return { ...item, version: 1 } as Item;
      if (item.entity === "webhook-endpoint") {
        return { ...item, pk: item.pk.replace(/#HOOKS$/, ""), sk: `HOOK#${item.sk}` } as Item;
      }
      if (item.entity !== "job" || item.due === undefined) return item;
      const { sweepAt: _, ...job } = item;
      return { ...job, due: item.state === "failed" ? "failed" : "3" } as unknown as Item;
    });

/** The items in format 3. */
export const inFormatThree = (items: readonly Item[]): Item[] =>
  items
    .filter(({ entity }) => entity !== "document-watcher" && entity !== "organization-watcher")
    .map((item) => {
      const { emailWatched, slackWatched, emailEvents, slackEvents, activityEvents, messageBatchSeconds, ...former } =
        item;
      return former as Item;
    });

const isKnown = ({ entity }: Item) => entity !== "feature-entry" && entity !== "feature-id";

/** Makes the table anew with the index of that time, and puts the items into it. */
export async function createFormerTable(endpoint: string, TableName: string, items: readonly Item[]): Promise<void> {
  const client = new DynamoDBClient({ endpoint, ...placeholderAccess });
  await client.send(new DeleteTableCommand({ TableName })).catch((thrown: Error) => {
    if (thrown.name !== "ResourceNotFoundException") throw thrown;
  });
  const index = {
    IndexName: formerIndex.name,
    KeySchema: keySchema(formerIndex.partitionKey, formerIndex.sortKey),
    Projection: { ProjectionType: "INCLUDE" as const, NonKeyAttributes: [...formerIndex.attributes] },
  };
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        ...[partitionKey, sortKey, formerIndex.partitionKey].map((name) => attributeDefinition(name, "S")),
        attributeDefinition(formerIndex.sortKey, "N"),
      ],
      KeySchema: keySchema(partitionKey, sortKey),
      GlobalSecondaryIndexes: [index],
    }),
  );
  const documents = DynamoDBDocumentClient.from(client);
  for (const item of items) await documents.send(new PutCommand({ TableName, Item: item }));
  client.destroy();
}
