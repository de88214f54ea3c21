// Limits the calls of a workspace, and those in flight (DECISIONS.md#calls-of-a-workspace). The limit is a token
// bucket: `burst` tokens, and `perSecond` new ones each second. A call costs one token, and a further one for each
// second that it runs. So at most `perSecond` calls run for long. No lease has to be given back.
//
// A container collects its calls in memory. It books ten of them together on the count in the table. So most short
// calls make no request for it. A running call books each further token immediately, or after the booking that still
// runs. From its last booking, the container knows when the bucket was full (`since`), and how many tokens were spent
// after that (`calls`):
//
//   balance = burst + perSecond × (now − since) − calls
//
// A call that is booked late makes the known balance too high, never too low. So no workspace below its rate is
// refused.
import { besideCall, inCall } from "../call.ts";
import { config } from "../config.ts";
import { type ApiError, beyondLimit } from "../errors.ts";
import { log } from "../log.ts";
import { Lru } from "../lru.ts";
import type { Bucket, CallLimit } from "../store/call-count.ts";
import * as CallCount from "../store/call-count.ts";
import type { Workspace } from "../store/workspace.ts";
import type { EndpointCall } from "./log-call.ts";

/** Calls of one booking. A workspace can exceed its limit by these calls in each container. */
const bookingMin = 10;
/** Bookings of one workspace in a second, at most: they all update one item, which takes 1,000 writes a second. */
const bookingsPerSecond = 100;
/** How much two clocks may differ. */
const clockSkewMs = 20;
/** After this many lost races for a new count, the calls are forgotten. */
const attemptsMax = 4;
const secondMs = 1_000;
const bucketsMax = 1_000;

/** The calls of a workspace's servers. */
export const serversOf = (workspace: Workspace): Bucket => ({
  ref: { workspace: workspace.apiKey },
  limit: callLimitOf(workspace),
  whose: "The workspace makes",
});

/** The limit of a workspace: its own, or the deployment's with room for two seconds of calls at once. */
export function callLimitOf({
  callsPerSecond,
  callsBurst,
}: Pick<Workspace, "callsPerSecond" | "callsBurst">): CallLimit {
  const perSecond = callsPerSecond ?? config.workspaceCallsPerSecond();
  return { perSecond, burst: callsBurst ?? 2 * perSecond };
}

interface Known {
  count?: CallCount.CallCount | undefined;
  /** The times of calls that are not booked yet, ms since the epoch. */
  unbooked: number[];
  /** Is resolved after all bookings so far. */
  booked?: Promise<void>;
}

/** The calls that one container has counted. */
export class CallCounter {
  readonly #buckets = new Lru<string, Known>(bucketsMax);

  /**
   * Counts one call in each bucket. Throws RESOURCE_EXHAUSTED, and counts it in none, while a bucket is known to have no
   * tokens. Once in ten calls it returns a booking to wait for before the call ends. A booking never throws.
   */
  admit(buckets: readonly Bucket[], now = Date.now()): Promise<unknown> | undefined {
    for (const each of buckets) this.#check(each, now);
    const bookings = buckets.flatMap((bucket) => {
      const { unbooked } = this.#known(bucket);
      unbooked.push(now);
      const least = Math.max(bookingMin, Math.ceil(bucket.limit.perSecond / bookingsPerSecond));
      return unbooked.length < least ? [] : [this.#book(bucket)];
    });
    return bookings.length > 0 ? Promise.all(bookings) : undefined;
  }

  /** Counts one second of a call that runs. Throws RESOURCE_EXHAUSTED if the bucket has no tokens then. */
  async spend(bucket: Bucket, now = Date.now()): Promise<void> {
    this.#known(bucket).unbooked.push(now);
    await this.#book(bucket);
    this.#check(bucket, now);
  }

  #check(bucket: Bucket, now: number): void {
    const waitMs = waitOf(this.#known(bucket), bucket.limit, now);
    if (waitMs > clockSkewMs) throw tooMany(bucket, waitMs);
  }

  #known({ ref: { workspace, of = "" } }: Bucket): Known {
    const name = `${workspace} ${of}`;
    const known = this.#buckets.get(name) ?? { unbooked: [] };
    this.#buckets.set(name, known);
    return known;
  }

  /** Bookings wait for one another: a slow table would otherwise get one more from each running call each second. */
  #book(bucket: Bucket): Promise<void> {
    const known = this.#known(bucket);
    const next = async () => {
      const times = known.unbooked;
      known.unbooked = [];
      const { ref, limit } = bucket;
      await book(ref, known, times, limit).catch((cause) => {
        // A booking that fails must not fail a call within the limit.
        log("warn", "Calls were not counted.", { workspace: ref.workspace, cause });
      });
    };
    known.booked = known.booked ? known.booked.then(() => (known.unbooked.length > 0 ? next() : undefined)) : next();
    return known.booked;
  }
}

const container = new CallCounter();

/** Counts a call of this container, see `CallCounter.admit`. */
export const admit = (buckets: readonly Bucket[]): Promise<unknown> | undefined => container.admit(buckets);

/**
 * Returns the reply of a call. Throws RESOURCE_EXHAUSTED when a bucket has no token for a further second of it. `leftMs`
 * returns the time that the call has left.
 */
export async function payingSeconds<T>(
  answering: EndpointCall,
  buckets: readonly Bucket[],
  leftMs: () => number,
  reply: () => Promise<T>,
): Promise<T> {
  let nextMs = leftMs() - secondMs;
  let timer: NodeJS.Timeout | undefined;
  const unpaid = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (leftMs() > nextMs) return;
      nextMs -= secondMs;
      const spending = inCall(besideCall(answering.call), () => spendOf(buckets));
      answering.booking = spending.catch(reject);
    }, secondMs);
  });
  return Promise.race([reply(), unpaid]).finally(() => clearInterval(timer));
}

const spendOf = (buckets: readonly Bucket[]) => Promise.all(buckets.map((each) => container.spend(each)));

/** How long until the balance is 0, in ms; 0 or less: it is not below 0. */
function waitOf({ count, unbooked }: Known, { perSecond, burst }: CallLimit, now: number): number {
  if (!count) return 0;
  const calls = count.calls + unbooked.filter((time) => time >= count.since).length;
  // The bucket can have been full after `now`: the clock of another container, or a booking that took long.
  return Math.min(count.since - now, 0) + ((calls - burst) * 1_000) / perSecond;
}

/** Adds the calls to the workspace's count. If the bucket was full again before these calls, a new count starts. */
async function book(
  ref: CallCount.CallCountRef,
  known: Known,
  times: readonly number[],
  { perSecond }: CallLimit,
): Promise<void> {
  const [first = 0] = times;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (attempt > 0 || !known.count) known.count = await CallCount.get(ref);
    const { count } = known;
    const isFull = !count || count.since + (count.calls * 1_000) / perSecond <= first;
    const after = isFull
      ? await CallCount.restart(ref, count, { since: first, calls: times.length })
      : await CallCount.add(ref, count.since, times.filter((time) => time >= count.since).length);
    if (after) {
      known.count = after;
      return;
    }
  }
}

function tooMany({ limit: { perSecond }, whose }: Bucket, waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = `${whose} more than ${perSecond} calls a second, or too many run at once. Try again after ${seconds} s.`;
  return beyondLimit(message, seconds);
}
