// Parallel reads of one call share a request. For example, the settings, the organization and its documents are one
// BatchGetItem, although different functions read them.
import { BatchGetCommand, type BatchGetCommandOutput, GetCommand, type GetCommandOutput } from "@aws-sdk/lib-dynamodb";
import { callSignal, seen } from "../call.ts";
import { chunks, inParallel } from "../concurrency.ts";
import { onTable, send } from "./client.ts";
import { type Item, type Key, keyName } from "./key.ts";
import { untilProcessed } from "./unprocessed.ts";

/** BatchGetItem accepts at most 100 keys. */
const batchKeysMax = 100;
/** Most parallel requests of one round. */
const readsInFlight = 12;

type Found = Map<string, Item>;

interface Round {
  keys: Map<string, Key>;
  found: Promise<Found>;
}

/**
 * The round that still accepts keys, by the signal that ends its request. Reads with another signal have another round.
 * `outside`: for reads outside a call.
 */
const openRounds = new WeakMap<AbortSignal, Round>();
const outside = new AbortController().signal;

/** Adds the keys to the open round. The round is sent when the code that is ready to run now has made its reads. */
export function join(names: readonly string[], keys: readonly Key[]): Promise<Found> {
  const signal = callSignal() ?? outside;
  let round = openRounds.get(signal);
  if (!round) {
    round = { keys: new Map(), found: nextTick().then(() => close(signal)) };
    openRounds.set(signal, round);
  }
  for (const [index, key] of keys.entries()) round.keys.set(names[index] as string, key);
  return seen(round.found);
}

/** Resolves when the queue of microtasks is empty: all promises that can settle now have settled. */
const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

async function close(signal: AbortSignal): Promise<Found> {
  const keys = [...(openRounds.get(signal)?.keys.values() ?? [])];
  openRounds.delete(signal);
  const found: Found = new Map();
  const [only] = keys;
  const items = keys.length === 1 && only ? [await getOne(only)] : await getAll(keys);
  for (const item of items) if (item) found.set(keyName(item), item);
  return found;
}

async function getOne(Key: Key): Promise<Item | undefined> {
  const command = new GetCommand({ ...onTable(), Key, ConsistentRead: true });
  return (await send<GetCommandOutput>(command, "read")).Item as Item | undefined;
}

/** Some attributes of each item. Such a read shares no request with others, which need whole items. */
export async function getProjected(keys: readonly Key[], attributes: readonly string[]): Promise<Item[]> {
  return seen(getAll(keys, projectionOf(attributes)));
}

async function getAll(keys: readonly Key[], projection: object = {}): Promise<Item[]> {
  const batches = chunks(keys, batchKeysMax);
  return (await inParallel(batches, readsInFlight, (batch) => getBatch(batch, projection))).flat();
}

async function getBatch(keys: Key[], projection: object): Promise<Item[]> {
  const { TableName, ReturnConsumedCapacity } = onTable();
  const items: Item[] = [];
  await untilProcessed(keys, async (rest) => {
    const RequestItems = { [TableName]: { Keys: rest, ConsistentRead: true, ...projection } };
    const command = new BatchGetCommand({ RequestItems, ReturnConsumedCapacity });
    const output = await send<BatchGetCommandOutput>(command, "read");
    for (const item of output.Responses?.[TableName] ?? []) items.push(item as Item);
    return (output.UnprocessedKeys?.[TableName]?.Keys ?? []) as Key[];
  });
  return items;
}

/** Reads only these attributes. It has placeholders, because the name of an attribute may be a reserved word. */
export function projectionOf(attributes: readonly string[]) {
  const names = attributes.map((name, index) => [`#${index}`, name] as const);
  return {
    ProjectionExpression: names.map(([placeholder]) => placeholder).join(", "),
    ExpressionAttributeNames: Object.fromEntries(names),
  };
}
