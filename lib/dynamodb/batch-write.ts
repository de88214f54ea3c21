// Writes without conditions, in batches. Repeating one changes nothing.
import { BatchWriteCommand, type BatchWriteCommandOutput } from "@aws-sdk/lib-dynamodb";
import { chunks, inParallel } from "../concurrency.ts";
import { onTable, send } from "./client.ts";
import { type Item, type Key, keyName } from "./key.ts";
import { untilProcessed } from "./unprocessed.ts";

/** BatchWriteItem accepts at most 25 requests. */
const batchSize = 25;
const batchesInFlight = 4;

/** Puts items, with retries until all are written. Each key may occur only once. A batch takes no condition. */
export async function putAll(puts: readonly { put: Item; if?: never }[]): Promise<void> {
  await writeBatches(puts.map(({ put }) => ({ PutRequest: { Item: put } })));
}

/** Deletes items, with retries until all are deleted. A key may occur twice, although BatchWriteItem refuses that. */
export async function deleteAll(keys: readonly Key[]): Promise<void> {
  const distinct = new Map(keys.map(({ pk, sk }) => [keyName({ pk, sk }), { pk, sk }]));
  await writeBatches([...distinct.values()].map((Key) => ({ DeleteRequest: { Key } })));
}

async function writeBatches(requests: readonly object[]): Promise<void> {
  const { TableName, ReturnConsumedCapacity } = onTable();
  await inParallel(chunks(requests, batchSize), batchesInFlight, (batch) =>
    untilProcessed(batch, async (rest) => {
      const command = new BatchWriteCommand({ RequestItems: { [TableName]: rest }, ReturnConsumedCapacity });
      return (await send<BatchWriteCommandOutput>(command, "write")).UnprocessedItems?.[TableName] ?? [];
    }),
  );
}
