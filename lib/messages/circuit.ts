// Pauses the channel of a workspace after five failures in a row. So a provider that does not work holds no workers,
// and does not use up the attempts of a whole queue. After the pause, one worker tries one message at a time, until a
// message is accepted (DECISIONS.md#attempts-of-messages).
import { log } from "../log.ts";
import * as Pause from "../store/messages/channel-pause.ts";
import type { Answer } from "./attempt-message.ts";

const failuresMax = 5;
/** A pause is half as long as the failure so far, within these bounds, ms. */
const pauseMs = { least: 60_000, most: 15 * 60_000 };
/** The longest wait that a provider can ask for, ms. */
const askedMsMax = 3_600_000;
/** How long one worker alone may try the provider, ms. */
const probeMs = 40_000;
const dayMs = 24 * 3_600_000;

export class Circuit {
  /** Until when no message may be sent, ms since the epoch. */
  pausedUntil = 0;
  readonly #ref: Pause.ChannelRef;
  #pause: Pause.ChannelPause | undefined;
  #failures = 0;
  /** After a pause: this run may try the provider. */
  #isChosen = false;

  private constructor({ workspace, channel }: Pause.ChannelRef, pause: Pause.ChannelPause | undefined) {
    this.#ref = { workspace, channel };
    this.#pause = pause;
  }

  /** The circuit of one run. */
  static async of(ref: Pause.ChannelRef): Promise<Circuit> {
    const circuit = new Circuit(ref, await Pause.get(ref));
    circuit.pausedUntil = circuit.#pause?.until ?? 0;
    return circuit;
  }

  /**
   * Whether this run may ask the provider. After a pause, only one run may. It must have something to send, because all
   * other queues of the channel wait meanwhile.
   */
  async mayAsk(): Promise<boolean> {
    const now = Date.now();
    if (this.pausedUntil > now) return false;
    if (!this.#pause || this.#isChosen) return true;
    this.#isChosen = await this.#set({ ...this.#pause, until: now + probeMs });
    if (!this.#isChosen) this.pausedUntil = now + probeMs;
    return this.#isChosen;
  }

  /** Whether to try one message at a time, until a message is accepted. */
  get isProbing(): boolean {
    return this.#pause !== undefined;
  }

  /** Why messages that have waited for a day are not tried any more. Undefined: they are tried. */
  get surrender(): string | undefined {
    if (!this.#pause || Date.now() - this.#pause.failingSince < dayMs) return undefined;
    return `No message was accepted for a day: ${this.#pause.error}`;
  }

  async note(answer: Answer | undefined): Promise<void> {
    if (answer === undefined) return;
    if (answer === "works") {
      this.#failures = 0;
      const pause = this.#pause;
      this.#pause = undefined;
      if (pause) await Pause.end(this.#ref, pause);
      return;
    }
    this.#failures++;
    const { again, afterMs } = answer;
    if (afterMs === undefined && !this.isProbing && this.#failures < failuresMax) return;
    const now = Date.now();
    const failingSince = this.#pause?.failingSince ?? now;
    const own = Math.min(pauseMs.most, Math.max(pauseMs.least, (now - failingSince) / 2));
    const until = Math.ceil(now + (afterMs === undefined ? own : Math.min(afterMs, askedMsMax)));
    if (until <= this.pausedUntil) return;
    this.pausedUntil = until;
    this.#isChosen = false;
    await this.#set({ until, failingSince, error: again });
    const { workspace, channel } = this.#ref;
    log("warn", "message channel paused", { workspace, channel, until: new Date(until).toISOString(), error: again });
  }

  async #set(to: Pause.ChannelPause): Promise<boolean> {
    const isSet = await Pause.set(this.#ref, this.#pause, to);
    if (isSet) this.#pause = to;
    return isSet;
  }
}
