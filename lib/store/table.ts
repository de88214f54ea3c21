// The table's verbs. Reads are strongly consistent unless said otherwise: what was revoked must not answer.
// `commit.ts` has the writes.
import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  GetCommand,
  type GetCommandOutput,
  QueryCommand,
  type QueryCommandOutput,
} from "@aws-sdk/lib-dynamodb";
import { callSignal } from "../call.ts";
import { backoff, chunks, inParallel } from "../concurrency.ts";
import { onTable, send } from "./client.ts";
import type { Key } from "./keys.ts";

export { commit, commitEach } from "./commit.ts";

export type Item = Key & Record<string, unknown>;

/** BatchGetItem takes at most 100 keys. */
const batchKeysMax = 100;
/** Requests of one bulk read that are under way at once. */
const readsInFlight = 12;

export async function get<T>(key: Key, options: { eventually?: true } = {}): Promise<T | undefined> {
  const command = new GetCommand({ ...onTable(), Key: key, ConsistentRead: !options.eventually });
  return (await send<GetCommandOutput>(command, "read")).Item as T | undefined;
}

/** Reads many items at once, in the order of `wanted`; a missing one is undefined. A key asked for twice is read once. */
export async function getMany<T>(
  wanted: readonly Key[],
  options: { eventually?: true } = {},
): Promise<(T | undefined)[]> {
  const name = ({ pk, sk }: Key) => `${pk.length} ${pk}${sk}`;
  const names = wanted.map(name);
  const distinct = new Map(wanted.map((key, index) => [names[index], key]));
  const found = new Map<string, T>();
  await inParallel(chunks([...distinct.values()], batchKeysMax), readsInFlight, async (batch) => {
    for (const item of await getBatch(batch, !options.eventually)) found.set(name(item), item as T);
  });
  return names.map((each) => found.get(each));
}

/** One batch, until all its keys are processed: a throttled table leaves some out of an answer. */
async function getBatch(batch: Key[], ConsistentRead: boolean): Promise<Item[]> {
  const { TableName, ReturnConsumedCapacity } = onTable();
  const items: Item[] = [];
  let rest: Key[] = batch;
  for (let attempt = 0; rest.length > 0; attempt++) {
    if (attempt > 0) await backoff(attempt, callSignal());
    const RequestItems = { [TableName]: { Keys: rest, ConsistentRead } };
    const output = await send<BatchGetCommandOutput>(
      new BatchGetCommand({ RequestItems, ReturnConsumedCapacity }),
      "read",
    );
    items.push(...((output.Responses?.[TableName] ?? []) as Item[]));
    rest = (output.UnprocessedKeys?.[TableName]?.Keys ?? []) as Key[];
  }
  return items;
}

export interface Range {
  pk: string;
  /** Only sort keys that begin with this. */
  beginsWith?: string;
  /** Only sort keys after this one. */
  after?: string;
  /** Items at most. */
  limit?: number;
  eventually?: true;
}

/** One page of a partition, ascending. `next` is the sort key to go on after; absent at the end. */
export async function query<T>(range: Range): Promise<{ items: T[]; next?: string }> {
  const { pk, beginsWith, after, limit, eventually } = range;
  const command = new QueryCommand({
    ...onTable(),
    KeyConditionExpression: beginsWith ? "pk = :pk AND begins_with(sk, :sk)" : "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk, ...(beginsWith && { ":sk": beginsWith }) },
    ConsistentRead: !eventually,
    ...(limit && { Limit: limit }),
    ...(after && { ExclusiveStartKey: { pk, sk: after } }),
  });
  const output = await send<QueryCommandOutput>(command, "read");
  const next = output.LastEvaluatedKey?.sk as string | undefined;
  return { items: (output.Items ?? []) as T[], ...(next !== undefined && { next }) };
}

/** Every item of a partition, page after page. */
export async function* all<T>(range: Range): AsyncGenerator<T[]> {
  let after = range.after;
  do {
    const page = await query<T>(after === undefined ? range : { ...range, after });
    if (page.items.length > 0) yield page.items;
    after = page.next;
  } while (after !== undefined);
}
