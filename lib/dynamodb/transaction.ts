// Conditional writes in transactions. A unit is written whole or not at all. Several units share a transaction when
// they fit. A failed condition is a returned value, not an exception.
import { randomUUID } from "node:crypto";
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { mayRetry } from "../call.ts";
import { monotonicMs } from "../monotonic.ts";
import { BusyError, isBusyName } from "./busy.ts";
import { attemptsMax, onTable, send } from "./client.ts";
import { ConflictError } from "./retry-on-conflict.ts";
import { isRepeatable, transactItem, type Write } from "./write.ts";

/** Writes that belong together: all of them or none. */
export interface Unit {
  /**
   * At most 83: DynamoDB takes 100, the events of a unit can fill eight outbox items and as many of the activity log,
   * and one write notes its step.
   */
  writes: Write[];
  /** Characters of its events as JSON, at most 600,000. Needed when the events can be larger than the writes. */
  eventCharacters?: number;
}

/** Most units in one transaction. With fewer units, less is repeated when one condition fails. */
const unitsMax = 30;
/**
 * DynamoDB takes 100 writes. The others are for jobs and for outbox items. A unit with more writes has a transaction of
 * its own.
 */
const writesMax = 84;
/** DynamoDB takes 4 MB, and the events of the writes can repeat their content. */
const bytesMax = 1_800_000;
/** Fill at most 11 outbox items, and at most eight when no event has more than 25,000 characters. */
const eventCharactersMax = 600_000;

/** Groups units so that each group fits one transaction. The order is kept. */
export function transactionGroups<U extends Unit>(units: readonly U[]): U[][] {
  // One unit is never divided. To measure it would be expensive: binary content as JSON has several times its size.
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

/**
 * Writes the units and `more` in one transaction. Returns the units with a failed condition. If there is such a unit,
 * nothing was written. A transaction that DynamoDB cancels for a temporary reason is repeated. After nine attempts,
 * this throws ConflictError or, when the table is throttled, BusyError.
 */
export async function tryTransaction<U extends Unit>(units: readonly U[], more: readonly Write[]): Promise<Set<U>> {
  const owners = units.flatMap((unit) => unit.writes.map(() => unit));
  const writes = [...units.flatMap((unit) => unit.writes), ...more];
  const token = randomUUID();
  const startedAt = monotonicMs();
  for (let attempt = 1; ; attempt++) {
    const reasons = await cancellationReasons(writes, token);
    if (!reasons) return new Set();
    const failed = new Set(owners.filter((_, index) => reasons[index] === "ConditionalCheckFailed"));
    if (failed.size > 0) return failed;
    const isFinal = attempt === attemptsMax || !reasons.some(isBusyName);
    if (isFinal || !(await mayRetry(attempt - 1, startedAt))) throw cancelled(reasons);
  }
}

function cancelled(reasons: readonly string[]): Error {
  const message = `The transaction was cancelled: ${[...new Set(reasons)].join(", ")}.`;
  if (reasons.includes("TransactionConflict")) return new ConflictError(message, { isUnwritten: true });
  return reasons.some(isBusyName) ? new BusyError(message) : new Error(message);
}

/**
 * Sends the writes. Returns undefined when they are written, else one reason for each write. After a lost reply the
 * writes are sent again: with the same token, this succeeds although the conditions fail now. A single write that can be
 * repeated (`isRepeatable`) needs no token. It is sent without a transaction, which costs half the units.
 */
async function cancellationReasons(writes: Write[], token: string): Promise<string[] | undefined> {
  const { ReturnConsumedCapacity } = onTable();
  const items = writes.map(transactItem);
  const alone = writes.length === 1 && isRepeatable(writes[0] as Write) ? items[0] : undefined;
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
    if (name === "ConditionalCheckFailedException") return ["ConditionalCheckFailed"];
    throw thrown;
  }
}
