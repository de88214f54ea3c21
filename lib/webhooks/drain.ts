// One run of an endpoint's deliveries: takes those that are due, up to 50 at once, for up to 30 seconds. One worker at
// a time runs an endpoint. Deliveries are made at least once: an attempt whose result was not recorded before the
// worker died is repeated, under the same webhook-id.
import * as Delivery from "../store/delivery.ts";
import * as WebhookEndpoint from "../store/webhook-endpoint.ts";
import * as WebhookRate from "../store/webhook-rate.ts";
import { attempt, timeoutMs } from "./attempt.ts";
import { type Clock, systemClock } from "./clock.ts";
import { coalesce } from "./coalesce.ts";
import * as Health from "./health.ts";
import { pacer } from "./pacer.ts";
import { nextAttemptAt } from "./schedule.ts";
import { signingSecrets } from "./secrets.ts";

const runMs = 30_000;
const inFlightMax = 50;
/** Deliveries read ahead. */
const readAheadMax = 100;
/** How often new deliveries are read while slow attempts are in flight. */
const pollMs = 1_000;
/** Left to record the result of an attempt that took all its time. */
const recordMs = 3_000;

/** Returns when to run again, ms since the epoch; undefined: no delivery is left that may be attempted. */
export async function drain(
  ref: WebhookEndpoint.EndpointRef,
  until: number,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const stopAt = Math.min(clock.now() + runMs, until - timeoutMs - recordMs);
  const nextFree = {
    read: () => WebhookRate.nextFree(ref),
    move: (from: number | undefined, to: number) => WebhookRate.move(ref, from, to),
  };
  const pace = pacer(nextFree, clock, stopAt);
  const finish = coalesce((batch: Parameters<typeof Delivery.finish>[1][number][]) => Delivery.finish(ref, batch));
  const held = new Map<string, Promise<void>>();
  let queued: Delivery.Pending[] = [];
  let hasRead = false;
  let isParked = false;
  let isLate = false;
  let failure: { cause: unknown } | undefined;

  while (clock.now() < stopAt && !isParked && !isLate && !failure) {
    if (queued.length === 0 && held.size === 0 && hasRead) {
      const dueAt = await Delivery.nextDueAt(ref);
      if (dueAt === undefined || dueAt > clock.now()) return dueAt;
    }
    if (queued.length === 0) queued = await readDue();
    const next = held.size < inFlightMax ? queued.shift() : undefined;
    if (next) hold(next);
    else if (held.size === 0) continue;
    else if (held.size >= inFlightMax) await Promise.race(held.values());
    else await Promise.race([Promise.all(held.values()), clock.sleepUntil(clock.now() + pollMs)]);
  }
  await Promise.all(held.values());
  if (failure) throw failure.cause;
  return isParked ? undefined : Delivery.nextDueAt(ref);

  async function readDue(): Promise<Delivery.Pending[]> {
    hasRead = true;
    // A delivery that ends while this read is in flight can still be in its result.
    const known = new Set(held.keys());
    const due = await Delivery.due(ref, clock.now(), readAheadMax + known.size);
    return due.filter(({ id }) => !known.has(id));
  }

  function hold(pending: Delivery.Pending): void {
    const done = deliver(pending)
      .catch((cause: unknown) => {
        failure ??= { cause };
      })
      .finally(() => held.delete(pending.id));
    held.set(pending.id, done);
  }

  async function deliver(pending: Delivery.Pending): Promise<void> {
    const receiver = await nextTurn();
    if (!receiver) return;
    const { endpoint, secrets } = receiver;
    const outcome = await attempt(endpoint.url, secrets, pending);
    const { last } = outcome;
    if (outcome.isDelivered) {
      await Promise.all([finish({ pending, last }), Health.recovered(ref, endpoint)]);
      return;
    }
    const now = clock.now();
    const again = outcome.isAborted ? undefined : nextAttemptAt(pending.tries + 1, now, outcome.retryAfter);
    await Delivery.fail(ref, pending, last, again);
    await Health.failed(ref, endpoint, pending.id, now);
  }

  /** The endpoint and its secrets as they are when the attempt may start; undefined: not in this run. */
  async function nextTurn() {
    let receiver = await read();
    while (receiver?.endpoint.rateLimit) {
      const { rateLimit } = receiver.endpoint;
      const slot = await pace.next(rateLimit, held.size + queued.length);
      isLate ||= slot === undefined;
      if (slot === undefined) return undefined;
      await pace.prepare(slot);
      receiver = await read();
      if (receiver?.endpoint.rateLimit === rateLimit && (await pace.start(slot))) return receiver;
    }
    return receiver;
  }

  /** Undefined: no delivery may be attempted now (DECISIONS.md#disabled-endpoints). Enabling the endpoint wakes the run. */
  async function read() {
    const { endpoint, isOn } = await WebhookEndpoint.getForDelivery(ref);
    isParked ||= !endpoint || endpoint.disabled || !isOn;
    if (!endpoint || isParked) return undefined;
    return { endpoint, secrets: await signingSecrets(ref.workspace, endpoint, clock.now()) };
  }
}
