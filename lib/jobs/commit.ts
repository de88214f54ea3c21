// Writes changes. A change, its jobs and its events are one transaction. The messages to the queues are sent after it:
// if the process dies in between, the sweeper finds the jobs.
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
   * Called when the change is written but a message was not sent. The sweeper sends it, so most callers omit this.
   */
  onUnsent?: () => void;
}

const transactionsInFlight = 4;

/** Writes all or nothing. Returns false when a condition failed and nothing was written. */
export async function commit(writes: Write[], consequences: Consequences = {}): Promise<boolean> {
  const [done] = await commitEach([{ writes }], () => consequences);
  return done === true;
}

/**
 * Writes many units in few transactions, each unit whole or not at all. `consequences` returns the jobs and events of
 * the units of one transaction, which are written with them. Returns false for each unit whose condition failed.
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

/** Writes one transaction. Returns the units whose condition failed. When there is any, nothing was written. */
async function writeTogether<U extends Unit>(
  units: U[],
  { jobs = [], events = [], onUnsent }: Consequences,
): Promise<Set<U>> {
  const queued = [...jobs, ...(await outboxOf(events))];
  const failed = await tryTransaction(units, queued.map(jobCreation));
  if (failed.size === 0 && !(await sendPointers(queued))) onUnsent?.();
  return failed;
}
