// How long a call may lose to requests that AWS does not answer, throttles, or refuses because of other writers. Without
// it, such a call would wait until its deadline, and calls that wait would use up the functions of all workspaces.
import { monotonicMs } from "./monotonic.ts";

/** Of a call's time. With the end of its writes, a call that fails for this takes less than half of its time. */
export const patienceShare = 0.4;

/** A request has at least this time, for example the release of a key after the failure of its call. */
const requestMsMin = 500;

/** The call becomes UNAVAILABLE (`dynamodb/busy.ts`). */
const late = () => Object.assign(new Error("AWS did not answer in time."), { name: "TimeoutError" });

/** What one call has lost. Losses at the same time count once. */
export class Patience {
  #lostMs = 0;
  #countedUntil = 0;
  readonly #mostMs: number;

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** Counts the time since `from` (`monotonicMs`) as lost. */
  lose(from: number): void {
    const now = monotonicMs();
    this.#lostMs += now - Math.max(from, this.#countedUntil);
    this.#countedUntil = now;
  }

  /** Whether the call may lose this time too. */
  allows(ms: number): boolean {
    return this.#lostMs + ms < this.#mostMs;
  }

  /** The result of a request. Throws TimeoutError when the call may not wait longer; the request is then in flight. */
  async await<T>(request: Promise<T>): Promise<T> {
    const leftMs = Math.max(requestMsMin, this.#mostMs - this.#lostMs);
    if (leftMs === Number.POSITIVE_INFINITY) return request;
    const startedAt = monotonicMs();
    const { promise: lateness, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(late()), leftMs);
    /** The SDK has repeated the request. Both its outputs and its errors say so. */
    const count = (outcome: unknown) => {
      const { $metadata } = (outcome ?? {}) as { $metadata?: { attempts?: number } };
      if (($metadata?.attempts ?? 1) > 1) this.lose(startedAt);
    };
    try {
      const output = await Promise.race([request, lateness]);
      count(output);
      return output;
    } catch (thrown) {
      count(thrown);
      throw thrown;
    } finally {
      clearTimeout(timer);
    }
  }
}
