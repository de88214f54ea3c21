// Reads all items of the table by a scan. The service itself never scans.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { tableSchema } from "../../infra/stack/table-schema.ts";
import type { Item } from "../../lib/dynamodb/key.ts";
import type { DueJob } from "../../lib/store/job.ts";
import { isWithin } from "../../lib/store/refs.ts";

/** Items of a workspace: those in its partitions, its jobs, and its entry in the list of all. */
export async function itemsOf(workspace: string): Promise<Item[]> {
  const items = await scan({
    FilterExpression: "begins_with(pk, :pk) OR workspace = :workspace OR apiKey = :workspace",
    ExpressionAttributeValues: { ":pk": `W#${workspace}`, ":workspace": workspace },
  });
  return items.filter((item) => isOf(workspace, item));
}

/** The items of each of these workspaces, by one scan. */
export async function itemsOfMany(workspaces: readonly string[]): Promise<Item[][]> {
  const items = await scan({});
  return workspaces.map((workspace) => items.filter((item) => isOf(workspace, item)));
}

/** Every item of the table. */
export const allItems = () => scan({});

/** Jobs of all workspaces that are not done, by one scan instead of a query for each partition of their index. */
export async function openJobs(): Promise<DueJob[]> {
  const isListed = `attribute_exists(${tableSchema.dueIndex.partitionKey})`;
  return (await scan({ FilterExpression: isListed })) as unknown as DueJob[];
}

let client: DynamoDBDocumentClient | undefined;

async function scan(input: object): Promise<Item[]> {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 5 }));
  const request = { TableName: process.env.TABLE_NAME, ConsistentRead: true, ...input };
  const pages = await Array.fromAsync(paginateScan({ client }, request));
  return pages.flatMap(({ Items }) => (Items ?? []) as Item[]);
}

function isOf(workspace: string, item: Item): boolean {
  const isOwn = item.workspace === workspace || item.apiKey === workspace;
  return isWithin(workspace, item.pk) || (isOwn && /^(?:JOB#|WORKSPACES$)/.test(item.pk));
}
