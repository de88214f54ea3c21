// Passes events on to subscriptions. All subscriptions of a channel get its events in the same order.
import { type Channel, pathsThatHear } from "./channel.ts";

export interface Subscriber {
  /** Gets one event, a text of JSON. */
  hear(event: string): void;
}

export class Hub {
  readonly #subscribers = new Map<string, Set<Subscriber>>();

  add({ path }: Channel, subscriber: Subscriber): void {
    const known = this.#subscribers.get(path);
    if (known) known.add(subscriber);
    else this.#subscribers.set(path, new Set([subscriber]));
  }

  remove({ path }: Channel, subscriber: Subscriber): void {
    const known = this.#subscribers.get(path);
    known?.delete(subscriber);
    if (known?.size === 0) this.#subscribers.delete(path);
  }

  broadcast(channel: Channel, events: readonly string[]): void {
    const hearing = pathsThatHear(channel).flatMap((path) => [...(this.#subscribers.get(path) ?? [])]);
    for (const event of events) for (const each of hearing) each.hear(event);
  }
}
