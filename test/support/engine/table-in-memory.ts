// The operations of a DynamoDB table that the service uses, in memory. Callers must copy items that they pass or get.
import { emptyName, problemOfKey, problemOfQuery } from "../../../infra/local/refusals.ts";
import { tableSchema } from "../../../infra/stack/table-schema.ts";
import { keyName } from "../../../lib/dynamodb/key.ts";
import { type Attributes, compare, meets, type Placeholders, updated } from "./expressions.ts";

export type Key = { pk: string; sk: string };
export type Item = Attributes & Key;

/** A put has an item, an update an expression, a deletion neither. */
export interface Write extends Placeholders {
  Key?: Key;
  Item?: Item;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ReturnValues?: string;
}

export interface Query extends Placeholders {
  IndexName?: string;
  KeyConditionExpression: string;
  ProjectionExpression?: string;
  ExclusiveStartKey?: Attributes;
  ScanIndexForward?: boolean;
  Limit?: number;
  /** Of a scan. */
  FilterExpression?: string;
}

export interface Page {
  Items: Item[];
  LastEvaluatedKey?: Attributes;
}

const itemBytesMax = 400 * 1_024;
const pageBytesMax = 1_024 * 1_024;
const { dueIndex } = tableSchema;

export function refusal(name: string, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { name, ...more });
}

export const invalid = (message: string) => refusal("ValidationException", message);

export function keyOf({ Key, Item }: Write): Key {
  const { pk, sk } = Key ?? Item ?? {};
  if (typeof pk !== "string" || typeof sk !== "string" || (Key && Object.keys(Key).length > 2))
    throw invalid("The provided key element does not match the schema");
  const problem = problemOfKey("pk", pk) ?? problemOfKey("sk", sk);
  if (problem) throw invalid(problem);
  return { pk, sk };
}

export class TableInMemory {
  readonly #partitions = new Map<string, Map<string, Item>>();
  /** Items with the keys of the index, by the names of their own keys. */
  readonly #indexed = new Map<string, Item>();

  get({ pk, sk }: Key): Item | undefined {
    return this.#partitions.get(pk)?.get(sk);
  }

  /** Returns all items, or those in the index, in the order of their keys. */
  scan(IndexName?: string): Item[] {
    const inOrder = <V>(map: Map<string, V>) => [...map].sort(([one], [other]) => (one < other ? -1 : 1));
    const all = inOrder(this.#partitions).flatMap(([, partition]) => inOrder(partition).map(([, item]) => item));
    if (!IndexName) return all;
    return all.flatMap((item) => inIndex(item) ?? []);
  }

  allows(write: Write): boolean {
    return meets(this.get(keyOf(write)) ?? {}, write.ConditionExpression, write);
  }

  /** The item after the write; undefined after a deletion. Throws if it is too large. */
  after(write: Write): Item | undefined {
    const key = keyOf(write);
    const item: Item | undefined = write.UpdateExpression
      ? { ...updated(this.get(key) ?? {}, write.UpdateExpression, write), ...key }
      : write.Item;
    if (item && sizeOf(item) > itemBytesMax) throw invalid("Item size has exceeded the maximum allowed size");
    const due = (item as Attributes | undefined)?.[dueIndex.partitionKey];
    const problem = item && "" in item ? emptyName : problemOfKey(dueIndex.partitionKey, due);
    if (problem) throw invalid(problem);
    return item;
  }

  /** Makes the write without checking its condition. */
  write(write: Write, item = this.after(write)): void {
    const { pk, sk } = keyOf(write);
    const partition = this.#partitions.get(pk) ?? new Map<string, Item>();
    if (item) partition.set(sk, item);
    else partition.delete(sk);
    this.#partitions.set(pk, partition);
    const entry = inIndex(item);
    if (entry) this.#indexed.set(keyName({ pk, sk }), entry);
    else this.#indexed.delete(keyName({ pk, sk }));
  }

  query({ KeyConditionExpression, ExclusiveStartKey: start, ScanIndexForward, Limit, ...query }: Query): Page {
    if (query.IndexName !== undefined && query.IndexName !== dueIndex.name) throw new Error("There is no such index.");
    const problem = problemOfQuery({ ...query, KeyConditionExpression, ExclusiveStartKey: start });
    if (problem) throw invalid(problem);
    const ordering = query.IndexName ? [dueIndex.sortKey, "pk", "sk"] : ["sk"];
    const direction = ScanIndexForward === false ? -1 : 1;
    const order = (one: Attributes, other: Attributes) => {
      for (const name of ordering) {
        const found = compare(one[name], other[name]);
        if (found) return direction * found;
      }
      return 0;
    };
    const rest = this.#candidates(query)
      .filter((item) => start === undefined || order(item, start) > 0)
      .filter((item) => meets(item, KeyConditionExpression, query))
      .sort(order);
    const read = rest.slice(0, fitting(rest, Limit));
    const last = read.length < rest.length || read.length === Limit ? read.at(-1) : undefined;
    const Items = read.map((item) => projected(item, query));
    if (!last) return { Items };
    const keyNames = query.IndexName ? [dueIndex.partitionKey, ...ordering] : ["pk", "sk"];
    return { Items, LastEvaluatedKey: pick(last, keyNames) };
  }

  #candidates({ IndexName, ExpressionAttributeValues = {} }: Pick<Query, "IndexName" | keyof Placeholders>): Item[] {
    if (IndexName) return [...this.#indexed.values()];
    return [...(this.#partitions.get(String(ExpressionAttributeValues[":pk"]))?.values() ?? [])];
  }
}

/** What the index has of an item. */
export function inIndex(item: Item | undefined): Item | undefined {
  if (!item || !(dueIndex.partitionKey in item) || !(dueIndex.sortKey in item)) return undefined;
  return pick(item, ["pk", "sk", dueIndex.partitionKey, dueIndex.sortKey, ...dueIndex.attributes]) as Item;
}

function fitting(items: Item[], limit = items.length): number {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += sizeOf(item);
    return index === limit || bytes > pageBytesMax;
  });
  return end < 0 ? items.length : end;
}

export function projected(
  item: Item,
  { ProjectionExpression, ExpressionAttributeNames = {} }: Pick<Query, "ProjectionExpression" | keyof Placeholders>,
): Item {
  if (!ProjectionExpression) return item;
  return pick(
    item,
    ProjectionExpression.split(", ").map((name) => ExpressionAttributeNames[name] ?? name),
  ) as Item;
}

function pick(item: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(names.flatMap((name) => (name in item ? [[name, item[name]]] : [])));
}

const sizes = new WeakMap<Attributes, number>();

/** The bytes of an item, as DynamoDB counts them: those of its names and values. No item changes: a write replaces it. */
export function sizeOf(item: Attributes): number {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  const size = sizeOfMap(item);
  sizes.set(item, size);
  return size;
}

function sizeOfMap(map: object): number {
  let size = 0;
  for (const [name, value] of Object.entries(map)) size += Buffer.byteLength(name) + sizeOfValue(value);
  return size;
}

function sizeOfValue(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value === "number") return 1 + Math.ceil(String(value).replace(/^-?0*|\.|0*$/g, "").length / 2);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof Set) return [...value].reduce((sum, each) => sum + sizeOfValue(each), 0);
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + sizeOfValue(each), 3);
  return 3 + Object.keys(value).length + sizeOfMap(value);
}
