// Queries of the index `sweep`, which lists jobs by the time when the sweeper looks at them.
import { QueryCommand, type QueryCommandOutput } from "@aws-sdk/lib-dynamodb";
import { onTable, send } from "./client.ts";

interface DueRange {
  /** A partition of the index. */
  due: string;
  /** Only items whose `sweepAt` is before this time, ms since the epoch. */
  before?: number;
  /** Most items in the page. */
  limit?: number;
}

/** One page, the earliest first. Pass `next` as `after` to read the next one. The index is eventually consistent. */
export async function queryDue<T>(
  { due, before, limit }: DueRange,
  after?: Record<string, unknown>,
): Promise<{ items: T[]; next?: Record<string, unknown> }> {
  const command = new QueryCommand({
    ...onTable(),
    IndexName: "sweep",
    KeyConditionExpression: before === undefined ? "due = :due" : "due = :due AND sweepAt < :before",
    ExpressionAttributeValues: { ":due": due, ...(before !== undefined && { ":before": before }) },
    ...(limit && { Limit: limit }),
    ...(after && { ExclusiveStartKey: after }),
  });
  const { Items = [], LastEvaluatedKey: next } = await send<QueryCommandOutput>(command, "read");
  return { items: Items as T[], ...(next && { next }) };
}
