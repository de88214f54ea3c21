// The capacity units that DynamoDB would charge for an operation on a table in memory.
import { type Item, type Key, keyOf, sizeOf, type TableInMemory, type Write } from "./table-in-memory.ts";

export interface Metered {
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, Write>[];
  ConsistentRead?: boolean;
}

/** Call before the operation. The returned function gives the units after it. */
export function meter(operation: string, table: TableInMemory, input: Metered): (output: object) => number {
  if (operation === "GetCommand") return () => readUnits([table.get(keyOf(input as Write))], input);
  if (operation === "QueryCommand") {
    return (output) => readUnits([(output as { Items?: Item[] }).Items ?? []], input);
  }
  if (operation === "BatchGetCommand") {
    const [{ Keys }] = Object.values(input.RequestItems ?? {}) as [{ Keys: Key[] }];
    return () => Keys.reduce((sum, key) => sum + readUnits([table.get(key)], { ConsistentRead: true }), 0);
  }
  const writes = writesOf(operation, input);
  const before = writes.map((write) => bytesOf(table.get(keyOf(write))));
  return () => {
    const units = writes.map((write, index) => {
      const bytes = Math.max(before[index] ?? 0, bytesOf(table.get(keyOf(write))));
      return Math.max(1, Math.ceil(bytes / 1_024));
    });
    return (operation === "TransactWriteCommand" ? 2 : 1) * units.reduce((sum, each) => sum + each, 0);
  };
}

function writesOf(operation: string, input: Metered): Write[] {
  if (operation === "TransactWriteCommand") return (input.TransactItems ?? []).flatMap((each) => Object.values(each));
  if (operation !== "BatchWriteCommand") return operation === "ScanCommand" ? [] : [input as Write];
  const requests = Object.values(input.RequestItems ?? {}).flat() as { PutRequest?: Write; DeleteRequest?: Write }[];
  return requests.map(({ PutRequest, DeleteRequest }) => ({ ...PutRequest, ...DeleteRequest }));
}

const bytesOf = (item: unknown) => (item === undefined ? 0 : sizeOf(item));

function readUnits([read]: [unknown], { ConsistentRead }: Metered): number {
  return Math.max(1, Math.ceil(bytesOf(read) / 4_096)) * (ConsistentRead ? 1 : 0.5);
}
