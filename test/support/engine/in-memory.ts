// Tables in the memory of this process, for suites with so many calls that the SDK takes most of their time. They pass
// the same cases as the engines, and a transaction excludes other writes of its items, as in the hard engine. An
// operation that the service does not use throws.
import { hash, randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { inProgress, Ongoing } from "../../../infra/local/hard/ongoing.ts";
import { emptyName } from "../../../infra/local/refusals.ts";
import { keyName } from "../../../lib/dynamodb/key.ts";
import type { AwsCommand } from "../aws/edge.ts";
import { meter } from "./capacity.ts";
import { meets } from "./expressions.ts";
import { memoryUrl } from "./memory-url.ts";
import {
  type Item,
  invalid,
  type Key,
  keyOf,
  projected,
  type Query,
  refusal,
  TableInMemory,
  type Write,
} from "./table-in-memory.ts";

const prefix = "in-memory-";
const tables = new Map<string, TableInMemory>();
/** Tokens of completed transactions: a repetition succeeds without effect. */
const tokens = new Set<string>();
const ongoing = new Ongoing();

const tablesMax = 4;

/** Points the environment at a new, empty table in memory. Deletes the earliest one of several. */
export function newTableInMemory(): void {
  const name = `${prefix}${randomUUID()}`;
  tables.set(name, new TableInMemory());
  tokens.clear();
  for (const earliest of tables.keys()) if (tables.size > tablesMax) tables.delete(earliest);
  process.env.TABLE_NAME = name;
}

interface Batches {
  RequestItems: Record<string, unknown>;
}

interface Transaction {
  TransactItems: Record<string, Write>[];
  ClientRequestToken?: string;
}

interface Segments {
  Segment?: number;
  TotalSegments?: number;
}

type Input = Write & Query & Batches & Transaction & Segments;
type Send = (command: AwsCommand, options?: { abortSignal?: AbortSignal }) => Promise<unknown>;

// `send` is replaced on import, before a test can mock it. Calls for other tables go to the engine.
const prototype = DynamoDBDocumentClient.prototype as unknown as { send: Send };
const send = prototype.send;
prototype.send = async function (this: unknown, command, options) {
  const name = tableOf(command.input);
  if (!name?.startsWith(prefix) && process.env.AWS_ENDPOINT_URL_DYNAMODB !== memoryUrl)
    return send.call(this, command, options);
  const table = tables.get(String(name));
  if (!table) throw refusal("ResourceNotFoundException", "Requested resource not found");
  // Lets concurrent calls proceed, as a network does.
  await nextTurn();
  if (options?.abortSignal?.aborted) throw refusal("AbortError", "Request aborted");
  const operation = operations[command.constructor.name];
  if (!operation) throw new Error(`A table in memory does not support ${command.constructor.name}.`);
  const input = asStored(command.input) as Input;
  const units = meter(command.constructor.name, table, input);
  const output = await operation(table, input);
  return asStored({ ...output, ConsumedCapacity: { CapacityUnits: units(output) } });
};

const operations: Record<string, (table: TableInMemory, input: Input) => object | Promise<object>> = {
  GetCommand: (table, input) => ({ Item: table.get(keyOf(input)) }),
  BatchGetCommand: (table, { RequestItems }) => {
    const [[name, { Keys, ...projection }]] = Object.entries(RequestItems) as [[string, { Keys: Key[] }]];
    distinct(Keys, 100);
    const items = Keys.flatMap((key) => table.get(key) ?? []).map((item) => projected(item, projection));
    return { Responses: { [name]: items }, UnprocessedKeys: {} };
  },
  QueryCommand: (table, input) => table.query(input),
  ScanCommand: (table, input) => {
    const { Segment, TotalSegments = 1 } = input;
    const items = table.scan(input.IndexName).filter(({ pk }) => segmentOf(pk, TotalSegments) === (Segment ?? 0));
    return { Items: items.filter((item) => meets(item, input.FilterExpression, input)) };
  },
  PutCommand: writeOne,
  UpdateCommand: writeOne,
  DeleteCommand: writeOne,
  BatchWriteCommand: (table, { RequestItems }) => {
    const requests = Object.values(RequestItems).flat() as {
      PutRequest?: { Item: Item };
      DeleteRequest?: { Key: Key };
    }[];
    const writes = requests.map(({ PutRequest, DeleteRequest }): Write => ({ ...PutRequest, ...DeleteRequest }));
    distinct(writes.map(keyOf), 25);
    const isLeft = writes.map((each) => ongoing.isInTransaction(keyName(keyOf(each))));
    writes.forEach((write, index) => void (isLeft[index] || table.write(write)));
    const rest = requests.filter((_, index) => isLeft[index]);
    return { UnprocessedItems: rest.length > 0 ? { [Object.keys(RequestItems)[0] as string]: rest } : {} };
  },
  TransactWriteCommand: transact,
};

/** Open for one turn of the event loop: requests that are sent meanwhile meet it. */
async function transact(table: TableInMemory, { TransactItems, ClientRequestToken }: Input): Promise<object> {
  const writes = TransactItems.flatMap((each) => Object.values(each));
  distinct(writes.map(keyOf), 100);
  const names = writes.map((each) => keyName(keyOf(each)));
  const outcome = await ongoing.transaction(names, ClientRequestToken, async () => {
    await nextTurn();
    return makeAll(table, writes, ClientRequestToken);
  });
  if (outcome === inProgress) throw refusal("TransactionInProgressException", "The transaction is in progress");
  if ("result" in outcome) return outcome.result;
  throw cancelled(outcome.conflicts.map((isMet) => (isMet ? "TransactionConflict" : "None")));
}

function makeAll(table: TableInMemory, writes: Write[], token: string | undefined): object {
  if (token && tokens.has(token)) return {};
  const codes = writes.map((each) => (table.allows(each) ? "None" : "ConditionalCheckFailed"));
  if (codes.some((code) => code !== "None")) throw cancelled(codes);
  // All or none: an invalid write must throw before the first one is made.
  const after = writes.map((each) => table.after(each));
  for (const [index, each] of writes.entries()) table.write(each, after[index]);
  if (token) tokens.add(token);
  return {};
}

const cancelled = (codes: string[]) =>
  refusal("TransactionCanceledException", "Transaction cancelled", {
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

function writeOne(table: TableInMemory, write: Write): object {
  if (ongoing.isInTransaction(keyName(keyOf(write))))
    throw refusal("TransactionConflictException", "Transaction is ongoing for the item");
  if (!table.allows(write)) throw refusal("ConditionalCheckFailedException", "The conditional request failed");
  table.write(write);
  return write.ReturnValues === "ALL_NEW" ? { Attributes: table.get(keyOf(write)) } : {};
}

/** All items of a partition are in one segment of a scan. */
const segmentOf = (pk: string, total: number) =>
  total === 1 ? 0 : hash("sha256", pk, "buffer").readUInt32LE() % total;

function distinct(keys: Key[], max: number): void {
  const names = new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk])));
  if (keys.length === 0 || keys.length > max) throw invalid(`There are ${keys.length} keys.`);
  if (names.size < keys.length) throw invalid("Provided list of item keys contains duplicates");
}

function tableOf({ TableName, RequestItems, TransactItems }: AwsCommand["input"]): string | undefined {
  const [first] = (TransactItems ?? []) as Record<string, { TableName: string }>[];
  return (TableName as string) ?? Object.keys(RequestItems ?? {})[0] ?? Object.values(first ?? {})[0]?.TableName;
}

/** As the SDK and DynamoDB. */
function refuseImprecise(value: number): void {
  const magnitude = Math.abs(value);
  if (magnitude > Number.MAX_SAFE_INTEGER) throw new Error(`Number ${value} is greater than Number.MAX_SAFE_INTEGER.`);
  if (magnitude > 0 && magnitude < 1e-130) throw invalid("Number underflow.");
}

/** A copy, as the service's client would store it: without undefined values. Throws for values that are not data. */
function asStored(value: unknown): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") refuseImprecise(value);
  else if (typeof value === "object") return copied(value);
  else throw new Error(`A ${typeof value} cannot be stored.`);
  return value;
}

const own = { writable: true, enumerable: true, configurable: true };

function copied(value: object): object {
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(asStored);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    if (value instanceof Uint8Array) return new Uint8Array(value);
    if (value instanceof Set) return new Set(value);
    throw new Error("Only plain data can be stored.");
  }
  // As the SDK, which reads the constructor of an object to find its type.
  if (Object.hasOwn(value, "constructor")) throw new Error("Unsupported type passed.");
  if (Object.hasOwn(value, "")) throw invalid(emptyName);
  // `Object.fromEntries` takes three times as long, and every request and reply is copied.
  const copy: Record<string, unknown> = {};
  if (Object.hasOwn(value, "__proto__")) Object.defineProperty(copy, "__proto__", own);
  for (const [name, each] of Object.entries(value)) if (each !== undefined) copy[name] = asStored(each);
  return copy;
}
