// Reads requests to DynamoDB: which table and which items they name.
import { tableSchema } from "../../stack/table-schema.ts";

const { partitionKey, sortKey } = tableSchema;

export type Attributes = Record<string, unknown>;

interface OneItem {
  TableName: string;
  Key?: Attributes;
  Item?: Attributes;
}

export interface WriteRequest {
  PutRequest?: { Item: Attributes };
  DeleteRequest?: { Key: Attributes };
}

/** The fields that the hard engine reads. Each operation has some of them. */
export interface Input extends Partial<OneItem> {
  Limit?: number;
  TransactItems?: Record<string, OneItem>[];
  ClientRequestToken?: string;
  // biome-ignore lint/suspicious/noExplicitAny: BatchGetItem and BatchWriteItem name this field alike.
  RequestItems?: Record<string, any>;
}

/** The name of an item among all tables. */
export function nameOf(table: string | undefined, attributes: Attributes = {}): string {
  return JSON.stringify([table, attributes[partitionKey], attributes[sortKey]]);
}

export function nameOfOne({ TableName, Key, Item }: Partial<OneItem>): string {
  return nameOf(TableName, Key ?? Item);
}

/** The names of the items of a transaction, in its order. */
export function namesOfTransaction({ TransactItems = [] }: Input): string[] {
  return TransactItems.map((each) => nameOfOne(Object.values(each)[0] ?? {}));
}

export function nameOfWrite(table: string, { PutRequest, DeleteRequest }: WriteRequest): string {
  return nameOf(table, PutRequest?.Item ?? DeleteRequest?.Key);
}

/** The table of a request; the first one if there are several. */
export function tableOf({ TableName, TransactItems, RequestItems }: Input): string {
  const [first] = TransactItems ?? [];
  return TableName ?? Object.values(first ?? {})[0]?.TableName ?? Object.keys(RequestItems ?? {})[0] ?? "";
}
