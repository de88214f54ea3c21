// Reads the whole table, in segments that can be read in parallel. Only an operator's command does: no function has the
// permission.
import { ScanCommand, type ScanCommandOutput } from "@aws-sdk/lib-dynamodb";
import { onTable, send } from "./client.ts";
import type { Item, Key } from "./key.ts";

interface Segment {
  segment: number;
  segments: number;
  /** The last key that was read before. */
  after?: Key | undefined;
  limit: number;
}

/** One page of a segment. `next` is the key to pass as `after`; absent at the end of the segment. */
export async function scanPage({ segment, segments, after, limit }: Segment): Promise<{ items: Item[]; next?: Key }> {
  const command = new ScanCommand({
    ...onTable(),
    Segment: segment,
    TotalSegments: segments,
    Limit: limit,
    ConsistentRead: true,
    ...(after && { ExclusiveStartKey: after }),
  });
  const { Items = [], LastEvaluatedKey: next } = await send<ScanCommandOutput>(command, "read");
  return { items: Items as Item[], ...(next && { next: next as Key }) };
}
