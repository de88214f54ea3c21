// Writes without conditions, in batches. Repeating one changes nothing.
import { BatchWriteCommand, type BatchWriteCommandOutput } from "@aws-sdk/lib-dynamodb";
import { callSignal } from "../call.ts";
import { backoff, chunks, inParallel } from "../concurrency.ts";
import { onTable, send } from "./client.ts";
import { type Item, type Key, keyName } from "./key.ts";

/** BatchWriteItem accepts at most 25 requests. */
const batchSize = 25;
const batchesInFlight = 4;

/** Puts items, with retries until all are written. Each key may occur only once. */
export async function putAll(puts: readonly { put: Item }[]): Promise<void> {
  await writeBatches(puts.map(({ put }) => ({ PutRequest: { Item: put } })));
}

/** Deletes items, with retries until all are deleted. A key may occur twice, although BatchWriteItem refuses that. */
export async function deleteAll(keys: readonly Key[]): Promise<void> {
  const distinct = new Map(keys.map(({ pk, sk }) => [keyName({ pk, sk }), { pk, sk }]));
  await writeBatches([...distinct.values()].map((Key) => ({ DeleteRequest: { Key } })));
}

/** A throttled table leaves requests unprocessed. They are sent again. */
async function writeBatches(requests: readonly object[]): Promise<void> {
  const { TableName, ReturnConsumedCapacity } = onTable();
  await inParallel(chunks(requests, batchSize), batchesInFlight, async (batch) => {
    let rest: unknown[] = batch;
    for (let attempt = 0; rest.length > 0; attempt++) {
      if (attempt > 0) await backoff(attempt - 1, callSignal());
      const command = new BatchWriteCommand({ RequestItems: { [TableName]: rest as never }, ReturnConsumedCapacity });
      const output = await send<BatchWriteCommandOutput>(command, "write");
      rest = output.UnprocessedItems?.[TableName] ?? [];
    }
  });
}
