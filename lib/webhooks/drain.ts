// One run of an endpoint's deliveries: takes those that are due, up to 50 at once, for up to 30 seconds. One worker at
// a time runs an endpoint. Deliveries are made at least once: an attempt whose result was not recorded before the
// worker died is repeated, under the same webhook-id.
import * as Delivery from "../store/delivery.ts";
import type { EndpointRef } from "../store/webhook-endpoint.ts";
import { attempt, timeoutMs } from "./attempt.ts";
import { type Clock, systemClock } from "./clock.ts";
import { coalesce } from "./coalesce.ts";
import * as Health from "./health.ts";
import { Receiver } from "./receiver.ts";
import { nextAttemptAt } from "./schedule.ts";

const runMs = 30_000;
const inFlightMax = 50;
/** Deliveries read ahead. */
const readAheadMax = 100;
/** How often new deliveries are read while slow attempts are in flight. */
const pollMs = 1_000;
/** Left to record the result of an attempt that took all its time. */
const recordMs = 3_000;

/** Returns when to run again, ms since the epoch; undefined: no delivery is left that may be attempted. */
export async function drain(ref: EndpointRef, until: number, clock: Clock = systemClock): Promise<number | undefined> {
  const stopAt = Math.min(clock.now() + runMs, until - timeoutMs - recordMs);
  return new Run(ref, clock, stopAt).untilDone();
}

type Finished = Parameters<typeof Delivery.finish>[1][number];

class Run {
  readonly #ref: EndpointRef;
  readonly #clock: Clock;
  readonly #stopAt: number;
  readonly #receiver: Receiver;
  readonly #finish: (finished: Finished) => Promise<void>;
  readonly #inFlight = new Map<string, Promise<void>>();
  #queued: Delivery.Pending[] = [];
  #hasRead = false;
  #failure: { cause: unknown } | undefined;

  constructor(ref: EndpointRef, clock: Clock, stopAt: number) {
    this.#ref = ref;
    this.#clock = clock;
    this.#stopAt = stopAt;
    this.#receiver = new Receiver(ref, clock, stopAt);
    this.#finish = coalesce((batch: Finished[]) => Delivery.finish(ref, batch));
  }

  async untilDone(): Promise<number | undefined> {
    while (this.#mayContinue()) {
      if (this.#queued.length === 0 && this.#inFlight.size === 0 && this.#hasRead) {
        const dueAt = await Delivery.nextDueAt(this.#ref);
        if (dueAt === undefined || dueAt > this.#clock.now()) return dueAt;
      }
      if (this.#queued.length === 0) this.#queued = await this.#readDue();
      const next = this.#inFlight.size < inFlightMax ? this.#queued.shift() : undefined;
      if (next) this.#start(next);
      else if (this.#inFlight.size > 0) await this.#waitForRoom();
    }
    await Promise.all(this.#inFlight.values());
    if (this.#failure) throw this.#failure.cause;
    return this.#receiver.isParked ? undefined : Delivery.nextDueAt(this.#ref);
  }

  #mayContinue(): boolean {
    const { isParked, isLate } = this.#receiver;
    return this.#clock.now() < this.#stopAt && !isParked && !isLate && !this.#failure;
  }

  async #readDue(): Promise<Delivery.Pending[]> {
    this.#hasRead = true;
    // A delivery that ends while this read is in flight can still be in its result.
    const known = new Set(this.#inFlight.keys());
    const due = await Delivery.due(this.#ref, this.#clock.now(), readAheadMax + known.size);
    return due.filter(({ id }) => !known.has(id));
  }

  /** Until an attempt ends, where no more may start; else until all end, or new deliveries may have become due. */
  async #waitForRoom(): Promise<void> {
    const attempts = [...this.#inFlight.values()];
    if (attempts.length >= inFlightMax) await Promise.race(attempts);
    else await Promise.race([Promise.all(attempts), this.#clock.sleepUntil(this.#clock.now() + pollMs)]);
  }

  #start(pending: Delivery.Pending): void {
    const done = this.#deliver(pending)
      .catch((cause: unknown) => {
        this.#failure ??= { cause };
      })
      .finally(() => this.#inFlight.delete(pending.id));
    this.#inFlight.set(pending.id, done);
  }

  async #deliver(pending: Delivery.Pending): Promise<void> {
    const turn = await this.#receiver.nextTurn(() => this.#inFlight.size + this.#queued.length);
    if (!turn) return;
    const { endpoint, secrets } = turn;
    const { last, isDelivered, isAborted, retryAfter } = await attempt(endpoint.url, secrets, pending);
    if (isDelivered) {
      await Promise.all([this.#finish({ pending, last }), Health.recovered(this.#ref, endpoint)]);
      return;
    }
    const now = this.#clock.now();
    const dueAt = isAborted ? undefined : nextAttemptAt(pending.tries + 1, now, retryAfter);
    await Delivery.fail(this.#ref, pending, last, dueAt);
    await Health.failed(this.#ref, endpoint, pending.id, now);
  }
}
