// One run of an endpoint's deliveries: takes those that are due, up to 50 at once, for up to 30 seconds. One worker at a
// time holds an endpoint's run; what it does twice after dying is attempting, under the same id, what it had not noted.
import * as Delivery from "../store/delivery.ts";
import * as WebhookEndpoint from "../store/webhook-endpoint.ts";
import * as WebhookRate from "../store/webhook-rate.ts";
import { attempt, timeoutMs } from "./attempt.ts";
import { type Clock, systemClock } from "./clock.ts";
import { gather } from "./gather.ts";
import * as Health from "./health.ts";
import { pacer } from "./pacer.ts";
import { nextAttemptAt } from "./schedule.ts";
import { signingSecrets } from "./secrets.ts";

const runMs = 30_000;
const inFlightMax = 50;
/** Deliveries read ahead. */
const aheadMax = 100;
/** How often new ones are looked for while slow attempts are under way. */
const lookMs = 1_000;
/** Left to note the outcome of an attempt that took all its time. */
const notingMs = 3_000;

/** When to run again, ms since the epoch; undefined: nothing is left that could be attempted. */
export async function drain(
  workspace: string,
  endpointId: string,
  until: number,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const stopAt = Math.min(clock.now() + runMs, until - timeoutMs - notingMs);
  const nextFree = {
    read: () => WebhookRate.nextFree(workspace, endpointId),
    move: (from: number | undefined, to: number) => WebhookRate.move(workspace, endpointId, from, to),
  };
  const pace = pacer(nextFree, clock, stopAt);
  const finish = gather((lot: Parameters<typeof Delivery.finish>[1][number][]) => Delivery.finish(workspace, lot));
  const held = new Map<string, Promise<void>>();
  let ahead: Delivery.Pending[] = [];
  let hasLooked = false;
  let isParked = false;
  let isLate = false;
  let failure: { cause: unknown } | undefined;

  while (clock.now() < stopAt && !isParked && !isLate && !failure) {
    if (ahead.length === 0 && held.size === 0 && hasLooked) {
      const dueAt = await Delivery.nextDueAt(workspace, endpointId);
      if (dueAt === undefined || dueAt > clock.now()) return dueAt;
    }
    if (ahead.length === 0) ahead = await look();
    const next = held.size < inFlightMax ? ahead.shift() : undefined;
    if (next) hold(next);
    else if (held.size === 0) continue;
    else if (held.size >= inFlightMax) await Promise.race(held.values());
    else await Promise.race([Promise.all(held.values()), clock.sleepUntil(clock.now() + lookMs)]);
  }
  await Promise.all(held.values());
  if (failure) throw failure.cause;
  return isParked ? undefined : Delivery.nextDueAt(workspace, endpointId);

  async function look(): Promise<Delivery.Pending[]> {
    hasLooked = true;
    // One that ends while the answer is on its way can still be in it.
    const known = new Set(held.keys());
    const due = await Delivery.due(workspace, endpointId, clock.now(), aheadMax + known.size);
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
    const receiver = await turnOf();
    if (!receiver) return;
    const { endpoint, secrets } = receiver;
    const outcome = await attempt(endpoint.url, secrets, pending);
    const { last } = outcome;
    if (outcome.isDelivered) {
      await Promise.all([finish({ pending, last }), Health.recovered(workspace, endpoint)]);
      return;
    }
    const now = clock.now();
    const again = outcome.isAborted ? undefined : nextAttemptAt(pending.tries + 1, now, outcome.retryAfter);
    await Delivery.fail(workspace, pending, last, again);
    await Health.failed(workspace, endpoint, pending.id, now);
  }

  /** The endpoint and its secrets as they are when its attempt may start; undefined: not in this run. */
  async function turnOf() {
    let receiver = await read();
    while (receiver?.endpoint.rateLimit) {
      const { rateLimit } = receiver.endpoint;
      const slot = await pace.next(rateLimit, held.size + ahead.length);
      isLate ||= slot === undefined;
      if (slot === undefined) return undefined;
      await pace.prepare(slot);
      receiver = await read();
      if (receiver?.endpoint.rateLimit === rateLimit && (await pace.start(slot))) return receiver;
    }
    return receiver;
  }

  /** Undefined: none of its deliveries may be attempted. They keep their place, and whoever enables it wakes the run. */
  async function read() {
    const { endpoint, isOn } = await WebhookEndpoint.getForDelivery(workspace, endpointId);
    isParked ||= !endpoint || endpoint.disabled || !isOn;
    if (!endpoint || isParked) return undefined;
    return { endpoint, secrets: await signingSecrets(workspace, endpoint, clock.now()) };
  }
}
