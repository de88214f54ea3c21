// Queues that are as hard as those of SQS: requests fail or get no reply, a batch succeeds in part, and messages arrive
// twice or out of order.
import { type Operations, ServerFault } from "../aws-json.ts";
import { type Message, type NewMessage, Queue } from "../queue.ts";
import { Chance, type Draw } from "./chance.ts";
import { type QueueRates, queueRates } from "./rates.ts";

export interface HardQueues {
  queue(name: string): Queue;
  /** The operations, of which those that send are disturbed. */
  operations(plain: Operations): Operations;
}

export function hardQueues(seed: number, rates: QueueRates = queueRates): HardQueues {
  const chance = new Chance(seed);

  /** Carries the request out once, or not at all, and replies, fails or hangs. */
  async function disturbed<T>(draw: Draw, send: () => T | Promise<T>): Promise<T> {
    const isSent = draw("sent") < 0.5;
    if (draw("hung") < rates.hung) {
      if (isSent) await send();
      return new Promise(() => {});
    }
    if (draw("failed") >= rates.failed) return send();
    if (isSent) await send();
    throw new Error("The request failed."); // The server replies with status 500.
  }

  const disturbing = (plain: Operations, name: string): Operations => {
    const send = plain[name];
    return send ? { [name]: (input) => disturbed(chance.next(input.QueueUrl, name), () => send(input)) } : {};
  };

  return {
    queue: (name) => new HardQueue(name, chance, rates),
    operations: (plain) => ({
      ...plain,
      ...disturbing(plain, "SendMessage"),
      ...disturbing(plain, "SendMessageBatch"),
    }),
  };
}

class HardQueue extends Queue {
  readonly #chance: Chance;
  readonly #rates: QueueRates;

  constructor(name: string, chance: Chance, rates: QueueRates) {
    super(name);
    this.#chance = chance;
    this.#rates = rates;
  }

  override send({ delayMs = 0, ...message }: NewMessage): Message {
    const { entryFailed, duplicated, late, lateMsMax } = this.#rates;
    const draw = this.#chance.next(this.name, "message");
    if (draw("entry") < entryFailed) throw new ServerFault("InternalError", "The message was not accepted.");
    const lateMs = (which: string) => (draw(`late ${which}`) < late ? draw(`delay ${which}`) * lateMsMax : 0);
    const sent = super.send({ ...message, delayMs: delayMs + lateMs("first") });
    if (draw("duplicated") < duplicated) super.send({ ...message, id: sent.id, delayMs: delayMs + lateMs("second") });
    return sent;
  }
}
