// Writing. A change, the jobs it causes and its events go into one transaction; only then are the jobs' queues told,
// so a process that dies in between loses nothing: the sweeper finds the job.
import { randomUUID } from "node:crypto";
import {
  BatchWriteCommand,
  type BatchWriteCommandOutput,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { callSignal } from "../call.ts";
import { backoff, chunks, inParallel } from "../concurrency.ts";
import { nameOf } from "../dynamodb/batch-get.ts";
import { onTable, send } from "../dynamodb/client.ts";
import type { Item } from "../dynamodb/table.ts";
import { transactItem, type Write } from "../dynamodb/write.ts";
import type { Key } from "../store/keys.ts";
import { type DomainEvent, outboxOf } from "./outbox.ts";
import { type Job, jobItem, sendPointers } from "./queue.ts";

export interface Consequences {
  jobs?: Job[];
  events?: DomainEvent[];
  /** Told when the write is done and a queue has refused its jobs: most callers need not know, the sweeper sends them. */
  onUnsent?: () => void;
}

/** Writes that hold together: all of them or none. */
export interface Unit {
  /** At most 92. */
  writes: Write[];
  /** Characters of its events as JSON, where they can be more than what it writes; at most 600,000. */
  eventCharacters?: number;
}

/** Units of one transaction: 100 writes are allowed, and fewer units make a lost condition cheaper to go round. */
const unitsMax = 30;
/** Leaves room for a job and for as many outbox items as a transaction's events can fill. A larger unit goes alone. */
const writesMax = 84;
/** A transaction takes 4 MB, and the events of these writes can repeat what they say. */
const bytesMax = 1_800_000;
/** Fill at most 13 outbox items, and seven where only one event is large. */
const eventCharactersMax = 600_000;
const transactionsInFlight = 4;
const attemptsMax = 8;

/** Writes all or nothing. False: a condition did not hold, and nothing was written. */
export async function commit(writes: Write[], consequences: Consequences = {}): Promise<boolean> {
  const [done] = await commitEach([{ writes }], () => consequences);
  return done === true;
}

/**
 * Writes many units, each whole or not at all, as few transactions. `consequences` says what follows from the units of
 * one transaction, and is written with them. Answers per unit: false where its condition did not hold.
 */
export async function commitEach<U extends Unit>(
  units: readonly U[],
  consequences: (done: U[]) => Consequences = () => ({}),
): Promise<boolean[]> {
  const outcome = new Map<U, boolean>();
  await inParallel(transactions(units), transactionsInFlight, async (group) => {
    let rest = group;
    while (rest.length > 0) {
      const lost = await transact(rest, consequences(rest));
      if (lost.size === 0) for (const unit of rest) outcome.set(unit, true);
      rest = lost.size === 0 ? [] : rest.filter((unit) => !lost.has(unit));
    }
  });
  return units.map((unit) => outcome.get(unit) ?? false);
}

/** Groups units so that each group fits one transaction. */
function transactions<U extends Unit>(units: readonly U[]): U[][] {
  // One is never divided, and measuring binary content as JSON takes several times its size.
  if (units.length === 1) return [[...units]];
  const groups: U[][] = [];
  let writes = 0;
  let bytes = 0;
  let eventCharacters = 0;
  for (const unit of units) {
    const size = Buffer.byteLength(JSON.stringify(unit.writes));
    const characters = unit.eventCharacters ?? 0;
    const current = groups.at(-1);
    const fits =
      writes + unit.writes.length <= writesMax &&
      bytes + size <= bytesMax &&
      eventCharacters + characters <= eventCharactersMax;
    if (current && current.length < unitsMax && fits) current.push(unit);
    else {
      groups.push([unit]);
      writes = 0;
      bytes = 0;
      eventCharacters = 0;
    }
    writes += unit.writes.length;
    bytes += size;
    eventCharacters += characters;
  }
  return groups;
}

/** One transaction. Answers the units whose condition did not hold; none: all is written. */
async function transact<U extends Unit>(
  units: U[],
  { jobs = [], events = [], onUnsent }: Consequences,
): Promise<Set<U>> {
  const queued = [...jobs, ...(await outboxOf(events))];
  const owners = units.flatMap((unit) => unit.writes.map(() => unit));
  const writes = [
    ...units.flatMap((unit) => unit.writes),
    ...queued.map((job): Write => ({ put: jobItem(job), if: "absent" })),
  ];
  const token = randomUUID();
  for (let attempt = 0; ; attempt++) {
    const reasons = await cancelled(writes, token);
    if (!reasons) break;
    const lost = new Set(owners.filter((_, index) => reasons[index] === "ConditionalCheckFailed"));
    if (lost.size > 0) return lost;
    if (attempt >= attemptsMax) throw new Error(`The transaction was cancelled: ${[...new Set(reasons)].join(", ")}.`);
    await backoff(attempt, callSignal());
  }
  if (!(await sendPointers(queued))) onUnsent?.();
  return new Set();
}

/**
 * Sends the writes; undefined: written. Else why they were cancelled, a code for each. The token makes a repeat after a
 * lost answer a success instead of a lost condition; a lone write without a condition needs none, and half the units.
 */
async function cancelled(writes: Write[], token: string): Promise<string[] | undefined> {
  const { ReturnConsumedCapacity } = onTable();
  const items = writes.map(transactItem);
  const alone = writes.length === 1 && !writes[0]?.if ? items[0] : undefined;
  try {
    if (alone?.Put) await send(new PutCommand({ ...alone.Put, ReturnConsumedCapacity }), "write");
    else if (alone?.Update) await send(new UpdateCommand({ ...alone.Update, ReturnConsumedCapacity }), "write");
    else if (alone?.Delete) await send(new DeleteCommand({ ...alone.Delete, ReturnConsumedCapacity }), "write");
    else {
      const transaction = { TransactItems: items, ClientRequestToken: token, ReturnConsumedCapacity };
      await send(new TransactWriteCommand(transaction), "write");
    }
    return undefined;
  } catch (thrown) {
    const { name, CancellationReasons } = thrown as { name?: string; CancellationReasons?: { Code?: string }[] };
    if (name === "TransactionCanceledException" && CancellationReasons) {
      return CancellationReasons.map((reason) => reason.Code ?? "None");
    }
    if (name === "TransactionInProgressException") return ["TransactionInProgress"];
    throw thrown;
  }
}

/** Puts items that no condition protects, each key once, until all are written: whoever does it twice changes nothing. */
export async function putAll(items: readonly Item[]): Promise<void> {
  await writeBatches(items.map((Item) => ({ PutRequest: { Item } })));
}

/** Removes items that no condition protects, until all are gone; a key may be there twice, which no batch takes. */
export async function removeAll(doomed: readonly Key[]): Promise<void> {
  const distinct = new Map(doomed.map(({ pk, sk }) => [nameOf({ pk, sk }), { pk, sk }]));
  await writeBatches([...distinct.values()].map((Key) => ({ DeleteRequest: { Key } })));
}

/** In batches of 25, as BatchWriteItem takes; what a throttled table leaves unprocessed is sent again. */
async function writeBatches(requests: readonly object[]): Promise<void> {
  const { TableName, ReturnConsumedCapacity } = onTable();
  await inParallel(chunks(requests, 25), transactionsInFlight, async (batch) => {
    let rest: unknown[] = batch;
    for (let attempt = 0; rest.length > 0; attempt++) {
      if (attempt > 0) await backoff(attempt, callSignal());
      const command = new BatchWriteCommand({ RequestItems: { [TableName]: rest as never }, ReturnConsumedCapacity });
      const output = await send<BatchWriteCommandOutput>(command, "write");
      rest = output.UnprocessedItems?.[TableName] ?? [];
    }
  });
}
