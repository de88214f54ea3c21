// Limits the calls of a workspace (DECISIONS.md#calls-of-a-workspace). The limit is a token bucket: `burst` tokens, and
// `perSecond` new ones each second. A container counts its calls in memory, and adds them to the workspace's count in
// the table once in ten calls. So a call needs no request of its own, and a container knows the balance at its last
// booking. The calls since `since` cost a token each, and the bucket was full at `since`:
//
//   balance = burst + perSecond × (now − since) − calls
//
// Calls that are booked late, or not yet, only make the known balance too high. So no workspace below its rate is
// refused.
import { config } from "../config.ts";
import { type ApiError, beyondLimit } from "../errors.ts";
import { log } from "../log.ts";
import { Lru } from "../lru.ts";
import * as CallCount from "../store/call-count.ts";
import type { Workspace } from "../store/workspace.ts";

/** Calls of one booking. A workspace can exceed its limit by these calls in each container. */
const bookingMin = 10;
/** Bookings of one workspace in a second, at most: they all update one item, which takes 1,000 writes a second. */
const bookingsPerSecond = 100;
/** How much two clocks may differ. */
const clockSkewMs = 20;
/** After this many lost races for a new count, the calls are forgotten. */
const attemptsMax = 4;
const workspacesMax = 1_000;

interface CallLimit {
  perSecond: number;
  burst: number;
}

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
}

/** The calls that one container has counted. */
export class CallCounter {
  readonly #workspaces = new Lru<string, Known>(workspacesMax);

  /**
   * Counts one call. Throws RESOURCE_EXHAUSTED while the workspace is known to have no tokens. Once in ten calls it
   * returns a booking to wait for before the call ends. A booking never throws.
   */
  admit(workspace: Workspace, now = Date.now()): Promise<void> | undefined {
    const limit = callLimitOf(workspace);
    const known = this.#workspaces.get(workspace.apiKey) ?? { unbooked: [] };
    this.#workspaces.set(workspace.apiKey, known);
    const waitMs = waitOf(known, limit, now);
    if (waitMs > clockSkewMs) throw tooMany(limit, waitMs);
    known.unbooked.push(now);
    if (known.unbooked.length < Math.max(bookingMin, Math.ceil(limit.perSecond / bookingsPerSecond))) return undefined;
    const times = known.unbooked;
    known.unbooked = [];
    return book({ workspace: workspace.apiKey }, known, times, limit).catch((cause) => {
      // A booking that fails must not fail a call within the limit.
      log("warn", "Calls were not counted.", { workspace: workspace.apiKey, cause });
    });
  }
}

const container = new CallCounter();

/** Counts a call of this container, see `CallCounter.admit`. */
export const admit = (workspace: Workspace): Promise<void> | undefined => container.admit(workspace);

/** How long until the balance is 0, in ms; 0 or less: it is not below 0. */
function waitOf({ count, unbooked }: Known, { perSecond, burst }: CallLimit, now: number): number {
  if (!count) return 0;
  const calls = count.calls + unbooked.filter((time) => time >= count.since).length;
  return count.since - now + ((calls - burst) * 1_000) / perSecond;
}

/** Adds the calls to the workspace's count. If the bucket was full again before these calls, a new count starts. */
async function book(
  ref: { workspace: string },
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

function tooMany({ perSecond }: CallLimit, waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const message = `The workspace makes more than ${perSecond} calls a second. Try again after ${seconds} s.`;
  return beyondLimit(message, seconds);
}
