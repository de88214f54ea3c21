// One conditional update of one item that returns the item. It is no transaction, so it costs half the units, and
// concurrent ones do not conflict.
import { UpdateCommand, type UpdateCommandOutput } from "@aws-sdk/lib-dynamodb";
import { onTable, send } from "./client.ts";
import type { Key } from "./key.ts";
import { transactItem, type Write } from "./write.ts";

/**
 * Returns the item after the update; undefined when the condition failed. A request whose reply was lost is not repeated,
 * since it would add twice. So this throws where other writes try again. `isRepeatable`: adding twice does no harm, and
 * the condition holds again after the update.
 */
export async function tryUpdate<T>(
  write: Extract<Write, { update: Key }>,
  { isRepeatable = false } = {},
): Promise<T | undefined> {
  const input = { ...transactItem(write).Update, ...onTable(), ReturnValues: "ALL_NEW" as const };
  try {
    return (await send<UpdateCommandOutput>(new UpdateCommand(input as never), "write", !isRepeatable)).Attributes as T;
  } catch (thrown) {
    if ((thrown as { name?: string }).name === "ConditionalCheckFailedException") return undefined;
    throw thrown;
  }
}
