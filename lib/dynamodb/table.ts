// The table's verbs. Reads are strongly consistent: what was revoked must not answer.
// `commit.ts` has the writes.
import { GetCommand, QueryCommand, type QueryCommandOutput } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../store/keys.ts";
import { join, nameOf } from "./batch-get.ts";
import { onTable, send } from "./client.ts";

export { commit, commitEach } from "../jobs/commit.ts";

export type Item = Key & Record<string, unknown>;

/** One item. Reads that a call asks for side by side share a request (see `reads.ts`). */
export async function get<T>(key: Key): Promise<T | undefined> {
  const name = nameOf(key);
  return (await join([name], [key])).get(name) as T | undefined;
}

/** Reads many items at once, in the order of `wanted`; a missing one is undefined. A key asked for twice is read once. */
export async function getMany<T>(wanted: readonly Key[]): Promise<(T | undefined)[]> {
  if (wanted.length === 0) return [];
  const names = wanted.map(nameOf);
  const found = await join(names, wanted);
  return names.map((name) => found.get(name) as T | undefined);
}

/** A read that nobody waits for an exact answer of, at half the units. */
export async function getEventually(key: Key): Promise<void> {
  await send(new GetCommand({ ...onTable(), Key: key }), "read");
}

export interface Range {
  pk: string;
  /** Only sort keys that begin with this. */
  beginsWith?: string;
  /** Only sort keys above this one; not beside `beginsWith`. */
  above?: string;
  /** Goes on after this sort key, in the direction of the query. */
  after?: string;
  /** Only sort keys up to this one; the same. */
  upTo?: string;
  /** From the last sort key to the first. */
  isDescending?: boolean;
  /** Items at most. */
  limit?: number;
}

/** One page of a partition, ascending unless said otherwise. `next` is the sort key to go on after; absent at the end. */
export async function query<T>(range: Range): Promise<{ items: T[]; next?: string }> {
  const { pk, beginsWith, above, upTo, after, limit, isDescending } = range;
  const sk = beginsWith || above || upTo;
  const among = beginsWith ? " AND begins_with(sk, :sk)" : above ? " AND sk > :sk" : " AND sk <= :sk";
  const command = new QueryCommand({
    ...onTable(),
    KeyConditionExpression: `pk = :pk${sk ? among : ""}`,
    ExpressionAttributeValues: { ":pk": pk, ...(sk && { ":sk": sk }) },
    ConsistentRead: true,
    ...(isDescending && { ScanIndexForward: false }),
    ...(limit && { Limit: limit }),
    ...(after && { ExclusiveStartKey: { pk, sk: after } }),
  });
  const output = await send<QueryCommandOutput>(command, "read");
  const next = output.LastEvaluatedKey?.sk as string | undefined;
  return { items: (output.Items ?? []) as T[], ...(next !== undefined && { next }) };
}

/** Up to `limit` items, the last sort key first. */
export async function newest<T>(range: Range, limit: number): Promise<T[]> {
  const items: T[] = [];
  let after: string | undefined;
  do {
    const rest = { ...range, isDescending: true, limit: limit - items.length };
    const page = await query<T>(after === undefined ? rest : { ...rest, after });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined && items.length < limit);
  return items;
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
