// Writes units in few transactions, each unit whole or not at all.
import { currentCall } from "../call.ts";
import { inParallel } from "../concurrency.ts";
import { ConflictError } from "./retry-on-conflict.ts";
import { transactionGroups, tryTransaction, type Unit } from "./transaction.ts";
import type { Write } from "./write.ts";

export interface NamedUnit extends Unit {
  /** The step of these writes. With an Idempotency-Key, a repeat finds the outcome by its name (`notedSteps`). */
  step?: { name: string; outcome: string } | undefined;
}

/** The further writes of a transaction, beside its units. */
export interface Beside {
  /** Further writes, without a condition. */
  writes: Write[];
  /** Called when the transaction is written. */
  onWritten?(): Promise<void>;
}

const transactionsInFlight = 4;
/** DynamoDB takes 100 writes in one transaction. */
const writesMax = 100;

/** Writes all or nothing. Returns false when a condition failed and nothing was written. */
export async function writeAll(writes: Write[]): Promise<boolean> {
  const [done] = await writeEach([{ writes }]);
  return done === true;
}

/**
 * Writes many units. `besideOf` returns the further writes of the transaction of these units. It runs again when the
 * transaction is divided. Returns false for each unit whose condition failed. Throws ConflictError when a transaction
 * met others at each attempt, and an error when one unit has more than 100 writes together with the further writes.
 */
export async function writeEach<U extends NamedUnit>(
  units: readonly U[],
  besideOf: (together: U[]) => Beside | Promise<Beside> = () => ({ writes: [] }),
): Promise<boolean[]> {
  const written = new Set<U>();
  await inParallel(transactionGroups(units), transactionsInFlight, async (group) => {
    const waiting = [group];
    for (let together = waiting.pop(); together; together = waiting.pop()) {
      const beside = await besideOf(together);
      const more = [...beside.writes, ...notesOf(together)];
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
      await beside.onWritten?.();
    }
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof ConflictError) || written.size === 0) throw thrown;
    // A repeat would find the written units, and take them for those of another call.
    throw new ConflictError(thrown.message, { cause: thrown });
  });
  return units.map((unit) => written.has(unit));
}

/** Notes steps in a write of their own. Does nothing without an Idempotency-Key. */
export async function noteSteps(steps: Record<string, string>): Promise<void> {
  const noting = currentCall()?.steps?.noting;
  if (noting && Object.keys(steps).length > 0) await writeAll([noting(steps) as Write]);
}

/** The write that notes the steps of these units. None without an Idempotency-Key. */
function notesOf(units: readonly NamedUnit[]): Write[] {
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
