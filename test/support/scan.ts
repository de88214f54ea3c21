// All that the table holds: only a test may look at it so.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { isWithin } from "../../lib/store/keys.ts";
import type { Item } from "../../lib/store/table.ts";

/** Items of a workspace: those in its partitions, its jobs, and its entry in the list of all. */
export async function itemsOf(workspace: string): Promise<Item[]> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const found: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const command = new ScanCommand({ TableName: process.env.TABLE_NAME, ConsistentRead: true, ExclusiveStartKey });
    const page = await client.send(command);
    found.push(...((page.Items ?? []) as Item[]));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  client.destroy();
  return found.filter((item) => {
    const isOwn = item.workspace === workspace || item.apiKey === workspace;
    return isWithin(workspace, item.pk) || (isOwn && /^(?:JOB#|WORKSPACES$)/.test(item.pk));
  });
}
