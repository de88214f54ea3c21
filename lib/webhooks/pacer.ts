// Hands out the slots of one endpoint to the attempts of one run.
import type { Clock } from "./clock.ts";
import { isInTime, lateMsMax, reserve } from "./slots.ts";

/** Where an endpoint's first free slot is kept, for all workers. */
export interface NextFree {
  read(): Promise<number | undefined>;
  /** False: it was no longer `from`. */
  move(from: number | undefined, to: number): Promise<boolean>;
}

/** How far ahead a slot is taken, for what has to be done before it: twice as far each time it was not enough. */
const leadMs = { first: 25, longest: 2_000 };

export type Pacer = ReturnType<typeof pacer>;

/** Slots up to `until` (ms since the epoch) only. */
export function pacer(nextFree: NextFree, clock: Clock, until: number) {
  let lead = leadMs.first;
  let free: { rateLimit: number; slots: number[] } = { rateLimit: 0, slots: [] };
  let turn: Promise<unknown> = Promise.resolve();

  async function refill(rateLimit: number, count: number): Promise<void> {
    for (;;) {
      const from = await nextFree.read();
      const reserved = reserve(from, { now: clock.now() + lead, rateLimit, count, until });
      free = { rateLimit, slots: reserved.slots };
      if (reserved.slots.length === 0 || (await nextFree.move(from, reserved.nextFree))) return;
    }
  }

  async function take(rateLimit: number, count: number): Promise<number | undefined> {
    const isUsable = (slot: number) => slot + lateMsMax > clock.now();
    if (free.rateLimit !== rateLimit || !free.slots.some(isUsable)) await refill(rateLimit, count);
    free.slots = free.slots.filter(isUsable);
    return free.slots.shift();
  }

  return {
    /** The next slot, with up to `count` reserved where none is left; undefined: it would come after the run. */
    next(rateLimit: number, count: number): Promise<number | undefined> {
      const slot = turn.then(() => take(rateLimit, count));
      turn = slot.catch(() => {});
      return slot;
    },
    /** Waits until what comes before an attempt in this slot should be begun. */
    prepare: (slot: number) => clock.sleepUntil(slot - lead),
    /** Waits for the slot. False: it is missed, and to be given up. */
    async start(slot: number): Promise<boolean> {
      await clock.sleepUntil(slot);
      if (isInTime(slot, clock.now())) return true;
      lead = Math.min(leadMs.longest, lead * 2);
      return false;
    },
  };
}
