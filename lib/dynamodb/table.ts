// Reads of the table. All except `getEventually` are strongly consistent, so that no call sees a revoked grant.
import { GetCommand, type GetCommandOutput, QueryCommand, type QueryCommandOutput } from "@aws-sdk/lib-dynamodb";
import { seen } from "../call.ts";
import { getProjected, join, projectionOf } from "./batch-get.ts";
import { onTable, send } from "./client.ts";
import { type Key, keyName } from "./key.ts";
import { type Page, pageOf } from "./page.ts";

/** One item. Parallel reads of a call share a request (see `batch-get.ts`). */
export async function get<T>(key: Key): Promise<T | undefined> {
  const name = keyName(key);
  return (await join([name], [key])).get(name) as T | undefined;
}

/** Reads many items, a repeated key once. Returns them in the order of `wanted`; undefined where an item is missing. */
export async function getMany<T>(wanted: readonly Key[]): Promise<(T | undefined)[]> {
  if (wanted.length === 0) return [];
  const names = wanted.map(keyName);
  const found = await join(names, wanted);
  return names.map((name) => found.get(name) as T | undefined);
}

/**
 * Only these attributes of the items that exist, in any order. They cost the same units as whole items, but less time
 * and memory.
 */
export async function getAttributes<T>(keys: readonly Key[], attributes: readonly string[]): Promise<T[]> {
  return (await getProjected(keys, attributes)) as T[];
}

/** An eventually consistent read. It costs half the units. */
export async function getEventually<T>(key: Key): Promise<T | undefined> {
  return (await seen(send<GetCommandOutput>(new GetCommand({ ...onTable(), Key: key }), "read"))).Item as T | undefined;
}

export interface Range {
  pk: string;
  /** Only sort keys with this prefix. */
  beginsWith?: string;
  /** Only sort keys above this one. Not together with `beginsWith` or `upTo`. */
  above?: string;
  /** Only sort keys from the first to the second one. Not together with `beginsWith`, `above` or `upTo`. */
  between?: readonly [string, string];
  /** Continues after this sort key, in the direction of the query. Undefined: begins at the first one. */
  after?: string | undefined;
  /** Only sort keys up to this one. Not together with `beginsWith` or `above`. */
  upTo?: string;
  /** From the last sort key to the first. */
  isDescending?: boolean;
  /** Most items in a page. */
  limit?: number;
  /** Only these attributes of the items. They cost the same units, but less CPU time. */
  attributes?: readonly string[];
}

/**
 * One page of the range, ascending by default. `next` is the sort key to pass as `after`. DynamoDB can end a page early:
 * then it is short, or `next` is set although nothing follows.
 */
export async function query<T>(range: Range): Promise<Page<T>> {
  const { items, next } = await queryWithUnits<T>(range);
  return pageOf(items, next);
}

/** As `query`, with the read units that the page took. */
export async function queryWithUnits<T>(range: Range): Promise<Page<T> & { units: number }> {
  const { pk, beginsWith, above, between, upTo, after, limit, isDescending, attributes } = range;
  const [from, to] = between ?? [];
  const sk = beginsWith || above || upTo || from;
  const command = new QueryCommand({
    ...onTable(),
    KeyConditionExpression: `pk = :pk${sk ? among(range) : ""}`,
    ExpressionAttributeValues: { ":pk": pk, ...(sk && { ":sk": sk }), ...(to && { ":to": to }) },
    ConsistentRead: true,
    ...(isDescending && { ScanIndexForward: false }),
    ...(limit && { Limit: limit }),
    ...(after && { ExclusiveStartKey: { pk, sk: after } }),
    ...(attributes && projectionOf(attributes)),
  });
  const output = await seen(send<QueryCommandOutput>(command, "read"));
  const page = pageOf((output.Items ?? []) as T[], output.LastEvaluatedKey?.sk as string | undefined);
  return { ...page, units: output.ConsumedCapacity?.CapacityUnits ?? 0 };
}

/** The condition on the sort key. */
function among({ beginsWith, above, between }: Range): string {
  if (beginsWith) return " AND begins_with(sk, :sk)";
  if (between) return " AND sk BETWEEN :sk AND :to";
  return above ? " AND sk > :sk" : " AND sk <= :sk";
}

/** Up to `limit` items, the last sort key first. */
export async function newest<T>(range: Range, limit: number): Promise<T[]> {
  return first({ ...range, isDescending: true }, limit);
}

/** Up to `limit` items. Fewer mean that the range has no more: DynamoDB can end a page before it has `limit` items. */
export async function first<T>(range: Range, limit: number): Promise<T[]> {
  const items: T[] = [];
  let { after } = range;
  do {
    const page = await query<T>({ ...range, after, limit: limit - items.length });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined && items.length < limit);
  return items;
}

/** Every item of the range, in pages. */
export async function* all<T>(range: Range): AsyncGenerator<T[]> {
  let after = range.after;
  do {
    const page = await query<T>({ ...range, after });
    if (page.items.length > 0) yield page.items;
    after = page.next;
  } while (after !== undefined);
}

/** Every item of the range, in one list. Only for a range that fits the memory. */
export async function every<T>(range: Range): Promise<T[]> {
  return (await Array.fromAsync(all<T>(range))).flat();
}

/** The first items of the range. It reads on until it has used `unitsMax` read units; `isPartial`: there are more. */
export async function someOf<T>(range: Range, unitsMax: number): Promise<{ items: T[]; isPartial: boolean }> {
  const items: T[] = [];
  let after = range.after;
  for (let used = 0; used < unitsMax; ) {
    const page = await queryWithUnits<T>({ ...range, after });
    items.push(...page.items);
    used += page.units;
    after = page.next;
    if (after === undefined) return { items, isPartial: false };
  }
  return { items, isPartial: true };
}
