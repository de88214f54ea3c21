// Writes changes with their consequences. A change, its jobs, its events and its entries of the activity log are one
// transaction. The messages to the queues are sent after it: if the process dies in between, the sweeper finds the
// jobs. Pages that listen are told too.
import { currentCall, noteCaused } from "../call.ts";
import type { Write } from "../dynamodb/write.ts";
import { type NamedUnit, writeEach } from "../dynamodb/write-each.ts";
import { announcing } from "../live/announce.ts";
import { type Job, jobCreation } from "../store/job.ts";
import { type DomainEvent, type EventPlace, type LoggedChange, outboxOf } from "./outbox.ts";
import { sendPointers } from "./queue.ts";

export interface Consequences {
  /** Further writes of the transaction, without a condition. */
  writes?: Write[];
  jobs?: Job[];
  events?: DomainEvent[];
  /** Changes of an activity log. */
  logged?: LoggedChange[];
  /** Called when the change is written but a message was not sent. The sweeper sends it, so most callers omit this. */
  onUnsent?: () => void;
}

/** Writes all or nothing. Returns false when a condition failed and nothing was written. */
export async function commit(writes: Write[], consequences: Consequences = {}): Promise<boolean> {
  const [done] = await commitEach([{ writes }], () => consequences);
  return done === true;
}

/**
 * Writes many units as `writeEach`. `consequences` returns the jobs, events and further writes that belong into the
 * transaction of these units.
 */
export async function commitEach<U extends NamedUnit>(
  units: readonly U[],
  consequences: (written: U[]) => Consequences = () => ({}),
): Promise<boolean[]> {
  // Reserved here: the transactions are written in any order, and some of them are divided or repeated.
  const placeOf = placesFor(units);
  return writeEach(units, async (together) => {
    const { writes = [], jobs = [], events = [], logged, onUnsent } = consequences(together);
    const [outbox, announce] = await Promise.all([outboxOf(events, placeOf(together[0]), logged), announcing(events)]);
    const queued = [...jobs, ...outbox.jobs];
    return {
      writes: [...writes, ...queued.map(jobCreation), ...outbox.entries],
      async onWritten() {
        for (const { id } of queued) noteCaused("jobs", id);
        const [areSent] = await Promise.all([sendPointers(queued), announce?.()]);
        if (!areSent) onUnsent?.();
      },
    };
  });
}

/** More than the events of one unit: an event has at least 100 characters, a unit's events have at most 600,000. */
const eventsPerUnit = 10_000;

/** Reserves places for the events of the units, in the order of the units. Returns the place of a unit's events. */
function placesFor<U>(units: readonly U[]): (unit: U | undefined) => EventPlace {
  const call = currentCall();
  const before = call?.units ?? 0;
  if (call) call.units = before + units.length;
  const createdAt = new Date().toISOString();
  const indexes = new Map(units.map((unit, index) => [unit, before + index]));
  return (unit) => ({ createdAt, first: ((unit && indexes.get(unit)) ?? before) * eventsPerUnit });
}
