// Assigns the slots of one endpoint to the attempts of one run. A busy processor or a slow connection can delay the
// request of an attempt that has started in its slot. So a run also waits for the actual times of earlier requests.
// With a rate of N, request N + 1 is sent at least a second after request 1.
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";

/** The clock of a run. Tests simulate one. */
export interface Clock {
  /** Ms since the epoch. */
  now(): number;
  /** Resolves at `time` or later, never earlier. */
  sleepUntil(time: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleepUntil(time) {
    // A timer can fire a millisecond early.
    for (let left = time - Date.now(); left > 0; left = time - Date.now()) {
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
    }
  },
};

/** The time of an endpoint's first free slot, stored for all workers. In ms since the epoch. */
interface NextFree {
  read(): Promise<number | undefined>;
  /** Returns false if the stored value is no longer `from`. */
  move(from: number | undefined, to: number): Promise<boolean>;
}

/** How long before its slot an attempt is prepared, in ms. It doubles after each missed slot. */
const leadMs = { first: 25, longest: 2_000 };

/** An attempt that may start now. `sent` must be called when its request is sent, or when it has ended without one. */
interface Start {
  sent(): void;
}

export type Pacer = ReturnType<typeof pacer>;

/** Assigns slots up to `until` (ms since the epoch). One attempt at a time takes a slot and starts in it. */
export function pacer(nextFree: NextFree, clock: Clock, until: number) {
  let lead = leadMs.first;
  let free: { rateLimit: number; slots: number[] } = { rateLimit: 0, slots: [] };
  /** When the requests of the started attempts were sent, in the order of the starts. */
  const sends: Promise<number>[] = [];
  /** The time of the last request that was too late for its slot. */
  let lateAt = 0;

  function refill(rateLimit: number, count: number): Promise<void> {
    return retryOnConflict("rate of a webhook endpoint", async () => {
      const from = await nextFree.read();
      const reserved = reserve(from, { now: clock.now() + lead, rateLimit, count, until });
      free = { rateLimit, slots: reserved.slots };
      if (reserved.slots.length === 0 || (await nextFree.move(from, reserved.nextFree))) return undefined;
      return conflict;
    });
  }

  return {
    /** Returns the next slot, and reserves up to `count` if none is left. Undefined: it would be after `until`. */
    async next(rateLimit: number, count: number): Promise<number | undefined> {
      const isUsable = (slot: number) => slot + lateMsMax > clock.now();
      if (free.rateLimit !== rateLimit || !free.slots.some(isUsable)) await refill(rateLimit, count);
      free.slots = free.slots.filter(isUsable);
      return free.slots.shift();
    },
    /** Waits until an attempt in this slot must be prepared. Returns that time, ms since the epoch. */
    async prepare(slot: number): Promise<number> {
      const at = slot - lead;
      await clock.sleepUntil(at);
      return at;
    },
    /**
     * Waits for the slot, and for a second after the request that was sent N attempts before. Undefined: the slot was
     * missed, and the attempt needs another.
     */
    async start(slot: number, rateLimit: number): Promise<Start | undefined> {
      await clock.sleepUntil(slot);
      const before = await sends.at(-rateLimit);
      if (before !== undefined) await clock.sleepUntil(before + windowMs);
      if (!isInTime(slot, clock.now())) {
        lead = Math.min(leadMs.longest, lead * 2);
        return undefined;
      }
      const { promise, resolve } = Promise.withResolvers<number>();
      sends.push(promise);
      if (sends.length > rateLimit) sends.splice(0, sends.length - rateLimit);
      return {
        sent() {
          const at = clock.now();
          if (at > slot + lateMsMax) lateAt = Math.max(lateAt, at);
          resolve(at);
        },
      };
    },
    /** Called after the last attempt of the run. Keeps the next run away from a late request. */
    async end(): Promise<void> {
      const to = lateAt + windowMs;
      if (to <= clock.now()) return;
      await retryOnConflict("rate of a webhook endpoint", async () => {
        const from = await nextFree.read();
        return (from ?? 0) >= to || (await nextFree.move(from, to)) ? undefined : conflict;
      });
    },
  };
}

// The exact rate limit N per second: a receiver states it to protect itself, so an average is not enough. Each attempt
// starts in a slot. Slots are (1000 + guard) / N ms apart. An attempt that is too late for its slot must take another
// slot. So by the workers' clocks, two attempts N slots apart start at least
//   (1000 + guard) − late = 1045 ms
// apart. The 45 ms above one second allow for two clocks that are each up to 20 ms off, in whole milliseconds.
const guardMs = 100;
/** How long after its slot an attempt may start, in ms. */
export const lateMsMax = 55;

/** The least time between two requests that are N attempts apart, in ms. */
export const windowMs = 1_000 + guardMs - lateMsMax;

/** Chooses up to `count` slots from now or `nextFree`, the later. Returns the `nextFree` after them. All in ms. */
export function reserve(
  nextFree: number | undefined,
  { now, rateLimit, count, until }: { now: number; rateLimit: number; count: number; until: number },
): { slots: number[]; nextFree: number } {
  const spacing = (1_000 + guardMs) / rateLimit;
  const first = Math.max(now, nextFree ?? 0);
  const available = Math.max(0, Math.min(count, Math.floor((until - first) / spacing) + 1));
  const slots = Array.from({ length: available }, (_, index) => first + index * spacing);
  return { slots, nextFree: first + available * spacing };
}

/** Whether an attempt in this slot may start at `now`. */
export function isInTime(slot: number, now: number): boolean {
  return now >= slot && now <= slot + lateMsMax;
}
