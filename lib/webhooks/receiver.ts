// The receiver of a run: the endpoint as each attempt finds it, and the moment at which the attempt may start.
import * as WebhookEndpoint from "../store/webhook-endpoint.ts";
import * as WebhookRate from "../store/webhook-rate.ts";
import type { Clock } from "./clock.ts";
import { type Pacer, pacer } from "./pacer.ts";
import { signingSecrets } from "./secrets.ts";

export interface Turn {
  endpoint: WebhookEndpoint.WebhookEndpoint;
  secrets: string[];
}

export class Receiver {
  /** No delivery may be attempted now (DECISIONS.md#disabled-endpoints). Enabling the endpoint wakes the run. */
  isParked = false;
  /** The next slot of the rate limit comes after the run. */
  isLate = false;
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
   * Waits until an attempt may start. Returns the endpoint and its secrets as they are then; undefined: not in this run.
   * `waiting` is how many attempts wait, so that their slots are reserved together.
   */
  async nextTurn(waiting: () => number): Promise<Turn | undefined> {
    let turn = await this.#read();
    while (turn?.endpoint.rateLimit) {
      const { rateLimit } = turn.endpoint;
      const slot = await this.#pace.next(rateLimit, waiting());
      this.isLate ||= slot === undefined;
      if (slot === undefined) return undefined;
      await this.#pace.prepare(slot);
      turn = await this.#read();
      if (turn?.endpoint.rateLimit === rateLimit && (await this.#pace.start(slot))) return turn;
    }
    return turn;
  }

  async #read(): Promise<Turn | undefined> {
    const { endpoint, isOn } = await WebhookEndpoint.getForDelivery(this.#ref);
    this.isParked ||= !endpoint || endpoint.disabled || !isOn;
    if (!endpoint || this.isParked) return undefined;
    return { endpoint, secrets: await signingSecrets(this.#ref.workspace, endpoint, this.#clock.now()) };
  }
}
