import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { keysOf, type mockDynamo } from "./mock-dynamo.ts";

/** A range of `count` items, of which DynamoDB returns two in a page, with the units of `unitsPerPage`. */
export function shortPages(dynamo: ReturnType<typeof mockDynamo>, count: number, unitsPerPage = 1) {
  const keys = keysOf(count);
  dynamo.on(QueryCommand).callsFake(async ({ Limit, ExclusiveStartKey }) => {
    const start = ExclusiveStartKey ? keys.findIndex(({ sk }) => sk === ExclusiveStartKey.sk) + 1 : 0;
    const Items = keys.slice(start, start + Math.min(2, Limit ?? 2));
    const end = start + Items.length;
    const ConsumedCapacity = { CapacityUnits: unitsPerPage };
    return { Items, ConsumedCapacity, ...(Items.length > 0 && { LastEvaluatedKey: keys[end - 1] }) };
  });
  return keys;
}
