import { BatchWriteCommand, type BatchWriteCommandOutput } from "@aws-sdk/lib-dynamodb";
import { callSignal } from "../call.ts";
import { backoff, chunks, inParallel } from "../concurrency.ts";
import { onTable, send } from "./client.ts";
import type { Item } from "./table.ts";

/** Writes items that no condition protects, in batches of 25, until all are processed. */
export async function putAll(items: readonly Item[]): Promise<void> {
  const { TableName, ReturnConsumedCapacity } = onTable();
  await inParallel(chunks(items, 25), 4, async (batch) => {
    let rest: unknown[] = batch.map((Item) => ({ PutRequest: { Item } }));
    for (let attempt = 0; rest.length > 0; attempt++) {
      if (attempt > 0) await backoff(attempt, callSignal());
      const command = new BatchWriteCommand({ RequestItems: { [TableName]: rest as never }, ReturnConsumedCapacity });
      const output = await send<BatchWriteCommandOutput>(command, "write");
      rest = output.UnprocessedItems?.[TableName] ?? [];
    }
  });
}
