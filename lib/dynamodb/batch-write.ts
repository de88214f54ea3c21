// Writes without conditions, in batches. Repeating one changes nothing.
import { BatchWriteCommand, type BatchWriteCommandOutput } from "@aws-sdk/lib-dynamodb";
import { callSignal } from "../call.ts";
import { backoff, chunks, inParallel } from "../concurrency.ts";
import { onTable, send } from "./client.ts";
import { type Item, type Key, keyName } from "./key.ts";

/** BatchWriteItem takes at most 25 requests. */
const batchSize = 25;
const batchesInFlight = 4;

/** Puts items until all are written. Each key may occur once. */
export async function putAll(puts: readonly { put: Item }[]): Promise<void> {
  await writeBatches(puts.map(({ put }) => ({ PutRequest: { Item: put } })));
}

/** Deletes items until all are gone. A key may occur twice here; a batch would refuse it. */
export async function deleteAll(keys: readonly Key[]): Promise<void> {
  const distinct = new Map(keys.map(({ pk, sk }) => [keyName({ pk, sk }), { pk, sk }]));
  await writeBatches([...distinct.values()].map((Key) => ({ DeleteRequest: { Key } })));
}

/** What a throttled table leaves unprocessed is sent again. */
async function writeBatches(requests: readonly object[]): Promise<void> {
  const { TableName, ReturnConsumedCapacity } = onTable();
  await inParallel(chunks(requests, batchSize), batchesInFlight, async (batch) => {
    let rest: unknown[] = batch;
    for (let attempt = 0; rest.length > 0; attempt++) {
      if (attempt > 0) await backoff(attempt, callSignal());
      const command = new BatchWriteCommand({ RequestItems: { [TableName]: rest as never }, ReturnConsumedCapacity });
      const output = await send<BatchWriteCommandOutput>(command, "write");
      rest = output.UnprocessedItems?.[TableName] ?? [];
    }
  });
}
