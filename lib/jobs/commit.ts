// Writes changes. A change, its jobs, its events and its entries of the activity log are one transaction. The messages
// to the queues are sent after it: if the process dies in between, the sweeper finds the jobs.
import { currentCall, noteCaused } from "../call.ts";
import { inParallel } from "../concurrency.ts";
import { ConflictError } from "../dynamodb/retry-on-conflict.ts";
import { transactionGroups, tryTransaction, type Unit } from "../dynamodb/transaction.ts";
import type { Write } from "../dynamodb/write.ts";
import { type Job, jobCreation } from "./job.ts";
import { type DomainEvent, type LoggedChange, outboxOf, placesFor } from "./outbox.ts";
import { sendPointers } from "./queue.ts";

export interface Consequences {
  /** Further writes of the transaction, without a condition. */
  writes?: Write[];
  jobs?: Job[];
  events?: DomainEvent[];
  /** Changes of an activity log. */
  logged?: LoggedChange[];
  /**
   * Called when the change is written but a message was not sent. The sweeper sends it, so most callers omit this.
   */
  onUnsent?: () => void;
}

export interface CommitUnit extends Unit {
  /** In a call with an Idempotency-Key, a repeat finds the outcome by the name (`notedSteps`). */
  step?: { name: string; outcome: string } | undefined;
}

const transactionsInFlight = 4;
/** DynamoDB takes 100 writes in one transaction, jobs and outbox items included. */
const writesMax = 100;

/** Writes all or nothing. Returns false when a condition failed and nothing was written. */
export async function commit(writes: Write[], consequences: Consequences = {}): Promise<boolean> {
  const [done] = await commitEach([{ writes }], () => consequences);
  return done === true;
}

/**
 * Writes many units in few transactions, each unit whole or not at all. `consequences` returns the jobs, events and
 * further writes of the units of one transaction, which are written with them. Returns false for each unit whose
 * condition failed.
 */
export async function commitEach<U extends CommitUnit>(
  units: readonly U[],
  consequences: (written: U[]) => Consequences = () => ({}),
): Promise<boolean[]> {
  const written = new Set<U>();
  // Reserved here: the transactions are written in any order, and some of them are divided or repeated.
  const placeOf = placesFor(units);
  await inParallel(transactionGroups(units), transactionsInFlight, async (group) => {
    const waiting = [group];
    for (let together = waiting.pop(); together; together = waiting.pop()) {
      const { writes = [], jobs = [], events = [], logged, onUnsent } = consequences(together);
      const outbox = await outboxOf(events, placeOf(together[0]), logged);
      const queued = [...jobs, ...outbox.jobs];
      const more = [...writes, ...queued.map(jobCreation), ...outbox.entries, ...notesOf(together)];
      const count = countWrites(together) + more.length;
      if (count > writesMax) {
        if (together.length === 1) throw new Error(`One unit has ${count} writes, with its jobs. DynamoDB takes 100.`);
        waiting.push(...halves(together));
        continue;
      }
      const failed = await tryTransaction(together, more);
      if (failed.size > 0) {
        const rest = together.filter((unit) => !failed.has(unit));
        if (rest.length > 0) waiting.push(rest);
        continue;
      }
      for (const unit of together) written.add(unit);
      for (const { id } of queued) noteCaused("jobs", id);
      if (!(await sendPointers(queued))) onUnsent?.();
    }
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof ConflictError) || written.size === 0) throw thrown;
    // A repeat would take the written units for those of another call.
    throw new ConflictError(thrown.message, { cause: thrown });
  });
  return units.map((unit) => written.has(unit));
}

/** Notes steps apart from what they write. Nothing without an Idempotency-Key. */
export async function noteSteps(steps: Record<string, string>): Promise<void> {
  const noting = currentCall()?.steps?.noting;
  if (noting && Object.keys(steps).length > 0) await commit([noting(steps) as Write]);
}

/** The write that notes the steps of these units. None without an Idempotency-Key. */
function notesOf(units: readonly CommitUnit[]): Write[] {
  const steps = currentCall()?.steps;
  const done = units.flatMap(({ step }) => (step ? [[step.name, step.outcome] as const] : []));
  return steps && done.length > 0 ? [steps.noting(Object.fromEntries(done)) as Write] : [];
}

const countWrites = (units: readonly Unit[]) => units.reduce((sum, { writes }) => sum + writes.length, 0);

/** The second half first. */
function halves<U>(units: U[]): [U[], U[]] {
  const middle = Math.ceil(units.length / 2);
  return [units.slice(middle), units.slice(0, middle)];
}
