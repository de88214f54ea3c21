// How the service writes. A change, the jobs that it causes and its events are one transaction; the queues are told
// after it. A process that dies in between loses nothing: the sweeper finds the job.
import { inParallel } from "../concurrency.ts";
import { transactionGroups, tryTransaction, type Unit } from "../dynamodb/transaction.ts";
import type { Write } from "../dynamodb/write.ts";
import { type Job, jobCreation } from "./job.ts";
import { type DomainEvent, outboxOf } from "./outbox.ts";
import { sendPointers } from "./queue.ts";

export interface Consequences {
  jobs?: Job[];
  events?: DomainEvent[];
  /**
   * Called when the change is written and a queue refused its jobs. The sweeper sends them, so most callers omit it.
   */
  onUnsent?: () => void;
}

const transactionsInFlight = 4;

/** Writes all or nothing. Returns false when a condition failed; then nothing was written. */
export async function commit(writes: Write[], consequences: Consequences = {}): Promise<boolean> {
  const [done] = await commitEach([{ writes }], () => consequences);
  return done === true;
}

/**
 * Writes many units, each whole or not at all, in few transactions. `consequences` returns what follows from the units
 * of one transaction, and is written with them. Returns false for each unit whose condition failed.
 */
export async function commitEach<U extends Unit>(
  units: readonly U[],
  consequences: (written: U[]) => Consequences = () => ({}),
): Promise<boolean[]> {
  const written = new Set<U>();
  await inParallel(transactionGroups(units), transactionsInFlight, async (group) => {
    for (let rest = group; rest.length > 0; ) {
      const failed = await writeTogether(rest, consequences(rest));
      if (failed.size === 0) for (const unit of rest) written.add(unit);
      rest = failed.size === 0 ? [] : rest.filter((unit) => !failed.has(unit));
    }
  });
  return units.map((unit) => written.has(unit));
}

/** One transaction. Returns the units whose condition failed; none: all is written. */
async function writeTogether<U extends Unit>(
  units: U[],
  { jobs = [], events = [], onUnsent }: Consequences,
): Promise<Set<U>> {
  const queued = [...jobs, ...(await outboxOf(events))];
  const failed = await tryTransaction(units, queued.map(jobCreation));
  if (failed.size === 0 && !(await sendPointers(queued))) onUnsent?.();
  return failed;
}
