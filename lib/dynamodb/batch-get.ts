// Parallel reads of one call share a request. For example, the settings, the organization and its documents are one
// BatchGetItem, although different functions read them.
import { BatchGetCommand, type BatchGetCommandOutput, GetCommand, type GetCommandOutput } from "@aws-sdk/lib-dynamodb";
import { currentCall } from "../call.ts";
import { chunks, inParallel } from "../concurrency.ts";
import { onTable, send } from "./client.ts";
import { type Item, type Key, keyName } from "./key.ts";
import { projectionOf } from "./projection.ts";
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

/** The round of each call that still accepts keys. Calls never share one; `outside` is for reads outside a call. */
const openRounds = new WeakMap<object, Round>();
const outside = {};

/** Adds the keys to the open round. The round is sent when the code that is ready to run now has made its reads. */
export function join(names: readonly string[], keys: readonly Key[]): Promise<Found> {
  const call = currentCall()?.reads ?? outside;
  let round = openRounds.get(call);
  if (!round) {
    round = { keys: new Map(), found: nextTick().then(() => close(call)) };
    openRounds.set(call, round);
  }
  for (const [index, key] of keys.entries()) round.keys.set(names[index] as string, key);
  return round.found;
}

/** Resolves when the queue of microtasks is empty: all promises that can settle now have settled. */
const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

async function close(call: object): Promise<Found> {
  const keys = [...(openRounds.get(call)?.keys.values() ?? [])];
  openRounds.delete(call);
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
  return getAll(keys, projectionOf(attributes));
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
