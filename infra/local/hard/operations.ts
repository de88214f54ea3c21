// What the hard engine does to each operation of DynamoDB on items. It changes a request before the engine gets it, or
// the reply; the engine itself stays as it is.
import { setTimeout as sleep } from "node:timers/promises";
import { asKeys, asWrites, keysOf, leftover, writesOf } from "./batches.ts";
import type { Draw } from "./chance.ts";
import { inProgress, type Ongoing } from "./ongoing.ts";
import type { Rates } from "./rates.ts";
import { cancelled, conflict, type Reply, transactionInProgress } from "./replies.ts";
import { type Input, nameOfOne, namesOfTransaction } from "./requests.ts";

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
