// One conditional write of one item, without a transaction: it costs half the units, and does not conflict with other
// writes of the item. A transaction has a token, so its repeat after a lost reply succeeds. This write has no token:
// its repeat meets its own result, and the condition fails. So the caller passes a check that recognises this result.
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { onTable, send } from "./client.ts";
import type { Item, Key } from "./key.ts";
import * as Table from "./table.ts";
import { transactItem, type Write } from "./write.ts";

/**
 * Returns false when the condition failed and nothing was written. `isOwn` says whether a stored item is the result of
 * this write and of no other one. It is called only if a reply may have been lost.
 */
export async function writeAlone<T>(
  write: Extract<Write, { put: Item } | { update: Key }>,
  isOwn: (stored: T) => boolean,
): Promise<boolean> {
  const { Put, Update } = transactItem(write);
  const { ReturnConsumedCapacity } = onTable();
  const command = Put
    ? new PutCommand({ ...Put, ReturnConsumedCapacity })
    : new UpdateCommand({ ...Update, ReturnConsumedCapacity } as never);
  try {
    await send(command, "write");
    return true;
  } catch (thrown) {
    const { name, $metadata } = thrown as { name?: string; $metadata?: { attempts?: number } };
    if (name !== "ConditionalCheckFailedException") throw thrown;
    if (($metadata?.attempts ?? 1) === 1) return false;
    const stored = await Table.get<T>("put" in write ? { pk: write.put.pk, sk: write.put.sk } : write.update);
    return stored !== undefined && isOwn(stored);
  }
}
