// What the hard engine does to each operation of DynamoDB on items. It changes a request before the engine gets it, or
// the reply; the engine itself stays as it is.
import { setTimeout as sleep } from "node:timers/promises";
import type { Draw } from "./chance.ts";
import { inProgress, type Ongoing } from "./ongoing.ts";
import type { Rates } from "./rates.ts";
import { cancelled, conflict, type Reply, transactionInProgress } from "./replies.ts";
import {
  type Attributes,
  type Input,
  nameOfOne,
  nameOfWrite,
  namesOfTransaction,
  type WriteRequest,
} from "./requests.ts";

export interface Turn {
  input: Input;
  draw: Draw;
  rates: Rates;
  ongoing: Ongoing;
  /** Sends a request to the engine: `input` itself, or another one in its place. */
  forward(input: Input): Promise<Reply>;
}

/** Items of a page that is cut short, at most. */
const cutItemsMax = 10;

export const operations: Record<string, (turn: Turn) => Promise<Reply>> = {
  GetItem: ({ input, forward }) => forward(input),
  PutItem: writeOne,
  UpdateItem: writeOne,
  DeleteItem: writeOne,
  Query: readPage,
  Scan: readPage,
  BatchGetItem: readBatch,
  BatchWriteItem: writeBatch,
  TransactWriteItems: transact,
  TransactGetItems: readTogether,
};

async function writeOne({ input, ongoing, forward }: Turn): Promise<Reply> {
  const name = nameOfOne(input);
  if (ongoing.isInTransaction(name)) return conflict();
  return ongoing.writes([name], () => forward(input));
}

/** A smaller limit: the engine then returns the LastEvaluatedKey of a shorter page. */
async function readPage({ input, draw, rates, forward }: Turn): Promise<Reply> {
  const limit = Math.min(input.Limit ?? Number.POSITIVE_INFINITY, 1 + Math.floor(draw("limit") * cutItemsMax));
  return forward(draw("cut") < rates.cut ? { ...input, Limit: limit } : input);
}

async function readBatch({ input, draw, rates, forward }: Turn): Promise<Reply> {
  const keys = keysOf(input);
  const left = leftover(keys.length, rates.partial, draw);
  if (!left.includes(true)) return forward(input);
  const kept = keys.filter((_, index) => !left[index]);
  const reply = await forward({ ...input, RequestItems: asKeys(input, kept) });
  const rest = keys.filter((_, index) => left[index]);
  return withUnprocessed(reply, (body) => {
    const tooLarge = keysOf({ RequestItems: body.UnprocessedKeys });
    return { UnprocessedKeys: asKeys(input, [...tooLarge, ...rest]) };
  });
}

/** A batch reports no conflict: it leaves the items of an ongoing transaction unprocessed. */
async function writeBatch({ input, draw, rates, ongoing, forward }: Turn): Promise<Reply> {
  const writes = writesOf(input);
  const partial = leftover(writes.length, rates.partial, draw);
  const isLeft = writes.map(({ name }, index) => partial[index] === true || ongoing.isInTransaction(name));
  if (!isLeft.includes(true)) {
    const names = writes.map(({ name }) => name);
    return ongoing.writes(names, () => forward(input));
  }
  const kept = writes.filter((_, index) => !isLeft[index]);
  const rest = writes.filter((_, index) => isLeft[index]).map(({ part }) => part);
  if (kept.length === 0) return { status: 200, body: JSON.stringify({ UnprocessedItems: asWrites(rest) }) };
  const names = kept.map(({ name }) => name);
  const RequestItems = asWrites(kept.map(({ part }) => part));
  const reply = await ongoing.writes(names, () => forward({ ...input, RequestItems }));
  return withUnprocessed(reply, (body) => {
    const more = writesOf({ RequestItems: body.UnprocessedItems });
    return { UnprocessedItems: asWrites([...more.map(({ part }) => part), ...rest]) };
  });
}

async function transact({ input, draw, rates, ongoing, forward }: Turn): Promise<Reply> {
  const names = namesOfTransaction(input);
  const outcome = await ongoing.transaction(names, input.ClientRequestToken, async () => {
    if (draw("held") < rates.held) await sleep(draw("hold") * rates.heldMsMax);
    return forward(input);
  });
  if (outcome === inProgress) return transactionInProgress();
  if ("result" in outcome) return outcome.result;
  return cancelled(outcome.conflicts.map((met) => (met ? "TransactionConflict" : "None")));
}

/** A transaction that reads is cancelled by any write of its items. */
async function readTogether({ input, ongoing, forward }: Turn): Promise<Reply> {
  const met = namesOfTransaction(input).map((name) => ongoing.isWritten(name));
  if (!met.includes(true)) return forward(input);
  return cancelled(met.map((isMet) => (isMet ? "TransactionConflict" : "None")));
}

type Unprocessed = Record<"UnprocessedKeys" | "UnprocessedItems", Record<string, object>>;

function withUnprocessed(reply: Reply, fields: (body: Unprocessed) => object): Reply {
  if (reply.status !== 200) return reply;
  const body = JSON.parse(String(reply.body));
  return { status: 200, body: JSON.stringify({ ...body, ...fields(body) }) };
}

/** The requests or keys of one table. */
interface Part<T> {
  table: string;
  entry: T;
}

interface KeysAndOptions {
  Keys: Attributes[];
}

/** Tells which entries are left: about half of them in `share` of the batches, but never all. */
function leftover(count: number, share: number, draw: Draw): boolean[] {
  const isPartial = count > 1 && draw("partial") < share;
  const left = Array.from({ length: count }, (_, index) => isPartial && draw(`entry ${index}`) < 0.5);
  if (left.every(Boolean)) left[0] = false;
  return left;
}

function writesOf({ RequestItems = {} }: Input): { name: string; part: Part<WriteRequest> }[] {
  return Object.entries(RequestItems as Record<string, WriteRequest[]>).flatMap(([table, requests]) =>
    requests.map((entry) => ({ name: nameOfWrite(table, entry), part: { table, entry } })),
  );
}

function keysOf({ RequestItems = {} }: Input): Part<Attributes>[] {
  return Object.entries(RequestItems as Record<string, KeysAndOptions>).flatMap(([table, { Keys }]) =>
    Keys.map((entry) => ({ table, entry })),
  );
}

/** The entries as `RequestItems` of BatchWriteItem. */
function asWrites(parts: readonly Part<WriteRequest>[]): Record<string, WriteRequest[]> {
  return byTable(parts);
}

/** The keys as `RequestItems` of BatchGetItem, with the options of the request. */
function asKeys({ RequestItems = {} }: Input, parts: readonly Part<Attributes>[]) {
  const entries = Object.entries(byTable(parts)).map(([table, Keys]) => [table, { ...RequestItems[table], Keys }]);
  return Object.fromEntries(entries) as Record<string, KeysAndOptions>;
}

function byTable<T>(parts: readonly Part<T>[]): Record<string, T[]> {
  const tables: Record<string, T[]> = {};
  for (const { table, entry } of parts) {
    tables[table] ??= [];
    tables[table].push(entry);
  }
  return tables;
}
