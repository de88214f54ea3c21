// The capacity units that DynamoDB would charge for an operation on a table in memory.
import { isDeepStrictEqual } from "node:util";
import { tableSchema } from "../../../infra/stack/table-schema.ts";
import { type Item, inIndex, type Key, keyOf, sizeOf, type TableInMemory, type Write } from "./table-in-memory.ts";

const { dueIndex } = tableSchema;

export interface Metered {
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, Write>[];
  ConsistentRead?: boolean;
}

/** Call before the operation. The returned function gives the units after it. */
export function meter(operation: string, table: TableInMemory, input: Metered): (output: object) => number {
  if (operation === "GetCommand") return () => readUnits([table.get(keyOf(input as Write))], input);
  if (operation === "QueryCommand") {
    return (output) => readUnits((output as { Items?: Item[] }).Items ?? [], input);
  }
  if (operation === "BatchGetCommand") {
    const [{ Keys }] = Object.values(input.RequestItems ?? {}) as [{ Keys: Key[] }];
    return () => Keys.reduce((sum, key) => sum + readUnits([table.get(key)], { ConsistentRead: true }), 0);
  }
  const writes = writesOf(operation, input);
  const before = writes.map((write) => table.get(keyOf(write)));
  return () => {
    const units = writes.map((write, index) => {
      const [former, item] = [before[index], table.get(keyOf(write))];
      const ofTable = Math.max(1, ofBytes(Math.max(bytesOf(former), bytesOf(item))));
      return (operation === "TransactWriteCommand" ? 2 : 1) * ofTable + ofIndex(inIndex(former), inIndex(item));
    });
    return units.reduce((sum, each) => sum + each, 0);
  };
}

const ofBytes = (bytes: number) => Math.ceil(bytes / 1_024);

/** A changed key in the index is a deletion and a put. A transaction does not double them (infra/COSTS.md). */
function ofIndex(former: Item | undefined, item: Item | undefined): number {
  if (isDeepStrictEqual(former, item)) return 0;
  const keys = [former, item].map((each) => [each?.[dueIndex.partitionKey], each?.[dueIndex.sortKey]]);
  if (former && item && isDeepStrictEqual(keys[0], keys[1])) return ofBytes(Math.max(bytesOf(former), bytesOf(item)));
  return ofBytes(bytesOf(former)) + ofBytes(bytesOf(item));
}

function writesOf(operation: string, input: Metered): Write[] {
  if (operation === "TransactWriteCommand") return (input.TransactItems ?? []).flatMap((each) => Object.values(each));
  if (operation !== "BatchWriteCommand") return operation === "ScanCommand" ? [] : [input as Write];
  const requests = Object.values(input.RequestItems ?? {}).flat() as { PutRequest?: Write; DeleteRequest?: Write }[];
  return requests.map(({ PutRequest, DeleteRequest }) => ({ ...PutRequest, ...DeleteRequest }));
}

const bytesOf = (item: Item | undefined) => (item === undefined ? 0 : sizeOf(item));

function readUnits(read: (Item | undefined)[], { ConsistentRead }: Metered): number {
  const bytes = read.reduce((sum, each) => sum + bytesOf(each), 0);
  return Math.max(1, Math.ceil(bytes / 4_096)) * (ConsistentRead ? 1 : 0.5);
}
