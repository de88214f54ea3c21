// One run of an endpoint's deliveries: sends the due deliveries, up to 50 concurrently, for up to 30 seconds. Only one
// worker at a time runs an endpoint. Delivery is at least once: a worker can die before it records the result of an
// attempt. Then the attempt is repeated under the same webhook-id.
import { measure, onBehalfOf } from "../call.ts";
import { log } from "../log.ts";
import * as Delivery from "../store/webhooks/delivery.ts";
import type { EndpointRef } from "../store/webhooks/webhook-endpoint.ts";
import { type AttemptResult, attempt, nextAttemptAt, pauseAfter, timeoutMs } from "./attempt-delivery.ts";
import * as Health from "./health.ts";
import { type Clock, systemClock } from "./pacer.ts";
import { Receiver } from "./receiver.ts";

const runMs = 30_000;
const inFlightMax = 50;
/** Deliveries to read in one query. */
const readAheadMax = 100;
/** How often new deliveries are read while slow attempts are in flight. */
const pollMs = 1_000;
/** Reserved for recording the result of an attempt that timed out. */
const recordMs = 3_000;

/** Returns when to run again, in ms since the epoch; undefined: no pending delivery may be attempted. */
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
    await this.#receiver.end();
    if (this.#failure) throw this.#failure.cause;
    const { isOff, pausedUntil } = this.#receiver;
    if (isOff) return undefined;
    const dueAt = await Delivery.nextDueAt(this.#ref);
    if (dueAt !== undefined && pausedUntil > this.#clock.now()) return Math.max(dueAt, pausedUntil);
    const lateMs = dueAt === undefined || this.#receiver.isOutOfTime ? 0 : this.#clock.now() - dueAt;
    // A backlog that the endpoint's own rate limit makes is wanted, so it is not measured.
    if (lateMs > 0) measure("webhookBacklogSeconds", lateMs / 1_000);
    return dueAt;
  }

  #mayContinue(): boolean {
    const { isOver, pausedUntil } = this.#receiver;
    const now = this.#clock.now();
    return now < this.#stopAt && now >= pausedUntil && !isOver && !this.#failure;
  }

  async #readDue(): Promise<Delivery.Pending[]> {
    this.#hasRead = true;
    // A delivery that ends during this read can still be in its result.
    const known = new Set(this.#inFlight.keys());
    const due = await Delivery.due(this.#ref, this.#clock.now(), readAheadMax + known.size);
    return due.filter(({ id }) => !known.has(id));
  }

  /**
   * If no more attempts may start, waits until one ends. Otherwise waits until all end, or until it is time to look
   * for new deliveries.
   */
  async #waitForRoom(): Promise<void> {
    const attempts = [...this.#inFlight.values()];
    if (attempts.length >= inFlightMax) await Promise.race(attempts);
    else await Promise.race([Promise.all(attempts), this.#clock.sleepUntil(this.#clock.now() + pollMs)]);
  }

  #start(pending: Delivery.Pending): void {
    const done = onBehalfOf(pending.causedBy, () => this.#deliver(pending))
      .catch((cause: unknown) => {
        this.#failure ??= { cause };
      })
      .finally(() => this.#inFlight.delete(pending.id));
    this.#inFlight.set(pending.id, done);
  }

  async #deliver(pending: Delivery.Pending): Promise<void> {
    const turn = await this.#receiver.nextTurn(() => this.#inFlight.size + this.#queued.length);
    if (!turn) return;
    const { endpoint, secrets, sent } = turn;
    const result = await attempt(endpoint.url, secrets, { ...pending, onSent: sent }).finally(sent);
    const { last, isDelivered, isAborted, retryAfter } = result;
    if (isDelivered) {
      this.#log(pending, result, "delivered");
      await Promise.all([this.#finish({ pending, last }), Health.recovered(this.#ref, endpoint)]);
      return;
    }
    const now = this.#clock.now();
    const pauseEnd = pauseAfter(result, endpoint.failingSince ?? now, now);
    if (pauseEnd !== undefined) await this.#receiver.pause(endpoint, pauseEnd);
    const dueAt = isAborted ? undefined : nextAttemptAt(pending.tries + 1, now, retryAfter);
    this.#log(pending, result, dueAt === undefined ? "failed" : "again", dueAt);
    await Delivery.fail(this.#ref, pending, last, dueAt);
    await Health.failed(this.#ref, endpoint, pending.id, now, last.code);
  }

  /** One line for each attempt. It shows neither the body nor the reply. */
  #log({ id, event, attempts }: Delivery.Pending, { last }: AttemptResult, outcome: string, dueAt?: number): void {
    const { workspace, endpointId } = this.#ref;
    const delivery = { workspace, endpointId, delivery: id, event, attempt: attempts + 1, outcome };
    const { code, error, durationMs } = last;
    const nextAttemptAt = dueAt === undefined ? undefined : new Date(dueAt).toISOString();
    log("info", "delivery", { ...delivery, http: code, error, durationMs, nextAttemptAt });
  }
}

/**
 * Runs `work` on one batch at a time. Items that arrive meanwhile form the next batch. Each caller waits for its
 * own batch.
 */
function coalesce<T>(work: (batch: T[]) => Promise<void>): (item: T) => Promise<void> {
  let open: { items: T[]; done: Promise<void> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (item) => {
    if (!open) {
      const items: T[] = [];
      const begin = () => {
        open = undefined;
        return work(items);
      };
      open = { items, done: last.then(begin) };
      last = open.done.catch(() => {});
    }
    open.items.push(item);
    return open.done;
  };
}
