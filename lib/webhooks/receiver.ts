// The endpoint of a run. Reads it again before each attempt, and decides when the attempt may start.
import type { Secret } from "../secret.ts";
import * as WebhookEndpoint from "../store/webhooks/webhook-endpoint.ts";
import * as WebhookRate from "../store/webhooks/webhook-rate.ts";
import type { Clock } from "./clock.ts";
import { signingSecrets } from "./endpoint-secrets.ts";
import * as Health from "./health.ts";
import { type Pacer, pacer } from "./pacer.ts";

interface Turn {
  endpoint: WebhookEndpoint.WebhookEndpoint;
  secrets: Secret[];
  /** Must be called when the request of the attempt is sent, or when the attempt has ended without one. */
  sent(): void;
}

type Read = Omit<Turn, "sent">;

export class Receiver {
  /** No delivery may be attempted (DECISIONS.md#changes-of-settings). Enabling the endpoint starts another run. */
  isOff = false;
  /** Before this time, no delivery may be attempted, ms since the epoch. */
  pausedUntil = 0;
  /** The next slot of the rate limit is after the end of the run. */
  isOutOfTime = false;
  readonly #ref: WebhookEndpoint.EndpointRef;
  readonly #clock: Clock;
  readonly #pace: Pacer;

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
    let turn = await this.#read();
    while (turn?.endpoint.rateLimit) {
      const { rateLimit } = turn.endpoint;
      const slot = await this.#pace.next(rateLimit, waiting());
      this.isOutOfTime ||= slot === undefined;
      if (slot === undefined) return undefined;
      await this.#pace.prepare(slot);
      turn = await this.#read();
      if (turn?.endpoint.rateLimit !== rateLimit) continue;
      const start = await this.#pace.start(slot, rateLimit);
      if (start) return { ...turn, ...start };
    }
    return turn && { ...turn, sent: () => {} };
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

  async #read(): Promise<Read | undefined> {
    const { endpoint, isOn } = await WebhookEndpoint.getForDelivery(this.#ref);
    this.isOff ||= !endpoint || endpoint.disabled || !isOn;
    if (!endpoint || this.isOff) return undefined;
    this.pausedUntil = endpoint.pausedUntil ?? 0;
    if (this.pausedUntil > this.#clock.now()) return undefined;
    return { endpoint, secrets: await signingSecrets(this.#ref, endpoint, this.#clock.now()) };
  }
}
