// The endpoint of a run. Each attempt reads the endpoint again, and learns when it may start. Attempts start in the
// order in which they ask. So an attempt that has missed its slot takes the next slot, before the attempts behind it.
import type { Secret } from "../secret.ts";
import * as WebhookEndpoint from "../store/webhooks/webhook-endpoint.ts";
import * as WebhookRate from "../store/webhooks/webhook-rate.ts";
import { signingSecrets } from "./endpoint-secrets.ts";
import * as Health from "./health.ts";
import { type Clock, type Pacer, pacer } from "./pacer.ts";

interface Turn {
  endpoint: WebhookEndpoint.WebhookEndpoint;
  secrets: Secret[];
  /** Must be called when the request of the attempt is sent, or when the attempt has ended without one. */
  sent(): void;
}

type Read = Omit<Turn, "sent">;

export class Receiver {
  /** An attempt has got no turn. */
  isOver = false;
  /** No delivery may be attempted (DECISIONS.md#changes-of-settings). Enabling the endpoint starts another run. */
  isOff = false;
  /** Before this time, no delivery may be attempted, ms since the epoch. */
  pausedUntil = 0;
  /** The next slot of the rate limit is after the end of the run. */
  isOutOfTime = false;
  readonly #ref: WebhookEndpoint.EndpointRef;
  readonly #clock: Clock;
  readonly #pace: Pacer;
  /** Whether the last attempt that asked has got a turn. If not, no later attempt gets one. */
  #last: Promise<boolean> = Promise.resolve(true);
  #slotRead: { since: number; read: Promise<Read | undefined> } | undefined;

  /** `stopAt`: when the run ends, ms since the epoch. */
  constructor(ref: WebhookEndpoint.EndpointRef, clock: Clock, stopAt: number) {
    this.#ref = ref;
    this.#clock = clock;
    const nextFree = {
      read: () => WebhookRate.nextFree(ref),
      move: (from: number | undefined, to: number) => WebhookRate.move(ref, from, to),
    };
    this.#pace = pacer(nextFree, clock, stopAt);
  }

  /**
   * Waits until an attempt may start. Returns the endpoint and its secrets of that moment; undefined: not in this run.
   * `waiting` returns how many attempts wait. Their slots are reserved together.
   */
  async nextTurn(waiting: () => number): Promise<Turn | undefined> {
    // Nothing is awaited before this: the order is that of the calls.
    const before = this.#last;
    const ended = Promise.withResolvers<boolean>();
    this.#last = ended.promise;
    let turn: Turn | undefined;
    try {
      turn = await this.#turnAfter(before, waiting);
    } finally {
      this.isOver ||= turn === undefined;
      ended.resolve(turn !== undefined);
    }
    return turn;
  }

  async #turnAfter(before: Promise<boolean>, waiting: () => number): Promise<Turn | undefined> {
    let found = await this.#read();
    if (!(await before)) return undefined;
    while (found?.endpoint.rateLimit) {
      const { rateLimit } = found.endpoint;
      const slot = await this.#pace.next(rateLimit, waiting());
      this.isOutOfTime ||= slot === undefined;
      if (slot === undefined) return undefined;
      found = await this.#readSince(await this.#pace.prepare(slot));
      if (found?.endpoint.rateLimit !== rateLimit) continue;
      const start = await this.#pace.start(slot, rateLimit);
      if (start) return this.#isPaused() ? void start.sent() : { ...found, ...start };
    }
    return found && !this.#isPaused() ? { ...found, sent: () => {} } : undefined;
  }

  /** Starts no attempt before `until` (ms since the epoch), in any run. The reply to an attempt asked for it. */
  async pause(endpoint: WebhookEndpoint.WebhookEndpoint, until: number): Promise<void> {
    this.pausedUntil = Math.max(this.pausedUntil, until);
    // The next attempt reads the endpoint as it is now.
    if (!(await Health.pause(this.#ref, endpoint, until))) this.pausedUntil = 0;
  }

  /** Called after the last attempt of the run has ended. */
  async end(): Promise<void> {
    await this.#pace.end();
  }

  #isPaused = () => this.pausedUntil > this.#clock.now();

  /** The endpoint as it was at `since` (ms since the epoch) or later. Attempts whose slots are close share a read. */
  #readSince(since: number): Promise<Read | undefined> {
    if (!this.#slotRead || this.#slotRead.since < since) {
      this.#slotRead = { since: this.#clock.now(), read: this.#read() };
    }
    return this.#slotRead.read;
  }

  async #read(): Promise<Read | undefined> {
    const { endpoint, isOn } = await WebhookEndpoint.getForDelivery(this.#ref);
    this.isOff ||= !endpoint || endpoint.disabled || !isOn;
    if (!endpoint || this.isOff) return undefined;
    this.pausedUntil = endpoint.pausedUntil ?? 0;
    if (this.#isPaused()) return undefined;
    return { endpoint, secrets: await signingSecrets(this.#ref, endpoint, this.#clock.now()) };
  }
}
