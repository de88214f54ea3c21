// Assigns the slots of one endpoint to the attempts of one run.
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Clock } from "./clock.ts";
import { isInTime, lateMsMax, reserve } from "./slots.ts";

/** The time of an endpoint's first free slot, stored for all workers. In ms since the epoch. */
export interface NextFree {
  read(): Promise<number | undefined>;
  /** Returns false if the stored value is no longer `from`. */
  move(from: number | undefined, to: number): Promise<boolean>;
}

/** How long before its slot an attempt is prepared, in ms. It doubles after each missed slot. */
const leadMs = { first: 25, longest: 2_000 };

export type Pacer = ReturnType<typeof pacer>;

/** Assigns slots up to `until` (ms since the epoch). */
export function pacer(nextFree: NextFree, clock: Clock, until: number) {
  let lead = leadMs.first;
  let free: { rateLimit: number; slots: number[] } = { rateLimit: 0, slots: [] };
  let turn: Promise<unknown> = Promise.resolve();

  function refill(rateLimit: number, count: number): Promise<void> {
    return retryOnConflict("rate of a webhook endpoint", async () => {
      const from = await nextFree.read();
      const reserved = reserve(from, { now: clock.now() + lead, rateLimit, count, until });
      free = { rateLimit, slots: reserved.slots };
      if (reserved.slots.length === 0 || (await nextFree.move(from, reserved.nextFree))) return undefined;
      return conflict;
    });
  }

  async function take(rateLimit: number, count: number): Promise<number | undefined> {
    const isUsable = (slot: number) => slot + lateMsMax > clock.now();
    if (free.rateLimit !== rateLimit || !free.slots.some(isUsable)) await refill(rateLimit, count);
    free.slots = free.slots.filter(isUsable);
    return free.slots.shift();
  }

  return {
    /** Returns the next slot, and reserves up to `count` if none is left. Undefined: it would be after `until`. */
    next(rateLimit: number, count: number): Promise<number | undefined> {
      const slot = turn.then(() => take(rateLimit, count));
      turn = slot.catch(() => {});
      return slot;
    },
    /** Waits until an attempt in this slot must be prepared. */
    prepare: (slot: number) => clock.sleepUntil(slot - lead),
    /** Waits for the slot. Returns false if it was missed and the attempt needs another. */
    async start(slot: number): Promise<boolean> {
      await clock.sleepUntil(slot);
      if (isInTime(slot, clock.now())) return true;
      lead = Math.min(leadMs.longest, lead * 2);
      return false;
    },
  };
}
