// Reads of one call that are asked for side by side travel together: the credentials' settings, the organization and
// what hangs from it are one request, whichever functions ask for them.
import { BatchGetCommand, type BatchGetCommandOutput, GetCommand, type GetCommandOutput } from "@aws-sdk/lib-dynamodb";
import { callSignal, currentCall } from "../call.ts";
import { backoff, chunks, inParallel } from "../concurrency.ts";
import type { Key } from "../store/keys.ts";
import { onTable, send } from "./client.ts";
import type { Item } from "./table.ts";

/** BatchGetItem takes at most 100 keys. */
const batchKeysMax = 100;
/** Requests of one round that are under way at once. */
const readsInFlight = 12;

type Found = Map<string, Item>;

interface Round {
  keys: Map<string, Key>;
  found: Promise<Found>;
}

/** The round that each call is gathering; calls never share one, and `outside` stands for what is no call. */
const gathering = new WeakMap<object, Round>();
const outside = {};

/** What stands for a key in a round. No two keys share it, since the length says where `pk` ends. */
export const nameOf = ({ pk, sk }: Key) => `${pk.length} ${pk}${sk}`;

/** Joins the round that is being gathered; its requests go out once the code that runs now has asked for all it can. */
export function join(names: readonly string[], keys: readonly Key[]): Promise<Found> {
  const call = currentCall() ?? outside;
  let round = gathering.get(call);
  if (!round) {
    round = { keys: new Map(), found: nextTick().then(() => close(call)) };
    gathering.set(call, round);
  }
  for (const [index, key] of keys.entries()) round.keys.set(names[index] as string, key);
  return round.found;
}

/** After all promises that can settle now have. */
const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

async function close(call: object): Promise<Found> {
  const keys = [...(gathering.get(call)?.keys.values() ?? [])];
  gathering.delete(call);
  const found: Found = new Map();
  const [only] = keys;
  const items = keys.length === 1 && only ? [await getOne(only)] : await getAll(keys);
  for (const item of items) if (item) found.set(nameOf(item), item);
  return found;
}

async function getOne(Key: Key): Promise<Item | undefined> {
  const command = new GetCommand({ ...onTable(), Key, ConsistentRead: true });
  return (await send<GetCommandOutput>(command, "read")).Item as Item | undefined;
}

async function getAll(keys: Key[]): Promise<Item[]> {
  if (keys.length <= batchKeysMax) return getBatch(keys);
  return (await inParallel(chunks(keys, batchKeysMax), readsInFlight, getBatch)).flat();
}

/** One batch, until all its keys are processed: a throttled table leaves some out of an answer. */
async function getBatch(keys: Key[]): Promise<Item[]> {
  const { TableName, ReturnConsumedCapacity } = onTable();
  const items: Item[] = [];
  let rest = keys;
  for (let attempt = 0; rest.length > 0; attempt++) {
    if (attempt > 0) await backoff(attempt, callSignal());
    const RequestItems = { [TableName]: { Keys: rest, ConsistentRead: true } };
    const command = new BatchGetCommand({ RequestItems, ReturnConsumedCapacity });
    const output = await send<BatchGetCommandOutput>(command, "read");
    for (const item of output.Responses?.[TableName] ?? []) items.push(item as Item);
    rest = (output.UnprocessedKeys?.[TableName]?.Keys ?? []) as Key[];
  }
  return items;
}
