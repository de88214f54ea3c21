// One standard queue in memory. It holds no truth: the jobs that its messages point to are in the table, and what is
// lost with the process the sweeper sends again.
import { createHash, randomUUID } from "node:crypto";

export interface Message {
  id: string;
  body: string;
  group: string | undefined;
  sentAt: number;
  visibleAt: number;
  receiveCount: number;
  firstReceivedAt: number | undefined;
  /** Changes at every receipt: an old one neither removes nor postpones. */
  receipt: string;
}

export class Queue {
  readonly name: string;
  #messages: Message[] = [];
  /** The group served last; the turn of the others comes first. */
  #servedAt = new Map<string | undefined, number>();
  #turn = 0;
  #listeners = new Set<() => void>();

  constructor(name: string) {
    this.name = name;
  }

  send({ body, group, delayMs = 0 }: { body: string; group?: string | undefined; delayMs?: number }): Message {
    const now = Date.now();
    const times = { sentAt: now, visibleAt: now + delayMs, receiveCount: 0, firstReceivedAt: undefined };
    const message = { id: randomUUID(), body, group, ...times, receipt: "" };
    this.#messages.push(message);
    this.#announce();
    return message;
  }

  /** Visible messages, the groups in turn, each hidden from others for a time. */
  receive(countMax: number, hiddenMs: number): Message[] {
    const received: Message[] = [];
    while (received.length < countMax) {
      const next = this.#next();
      if (!next) break;
      next.visibleAt = Date.now() + hiddenMs;
      next.receiveCount += 1;
      next.firstReceivedAt ??= Date.now();
      next.receipt = randomUUID();
      received.push(next);
    }
    return received;
  }

  remove(receipt: string): void {
    this.#messages = this.#messages.filter((each) => each.receipt !== receipt);
    if (this.#messages.length === 0) this.#servedAt.clear();
  }

  postpone(receipt: string, hiddenMs: number): void {
    const message = this.#messages.find((each) => each.receipt === receipt);
    if (message) message.visibleAt = Date.now() + hiddenMs;
    this.#announce();
  }

  /** When the next message becomes visible; undefined: there is none. */
  nextVisibleAt(): number | undefined {
    return this.#messages.reduce<number | undefined>(
      (next, { visibleAt }) => Math.min(next ?? visibleAt, visibleAt),
      undefined,
    );
  }

  /** Calls back when a message comes or its time changes. Answers how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #next(): Message | undefined {
    const now = Date.now();
    const turnOf = ({ group }: Message) => this.#servedAt.get(group) ?? 0;
    let next: Message | undefined;
    for (const each of this.#messages) {
      if (each.visibleAt <= now && (!next || turnOf(each) < turnOf(next))) next = each;
    }
    if (next) this.#servedAt.set(next.group, ++this.#turn);
    return next;
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

export function md5(body: string): string {
  return createHash("md5").update(body).digest("hex");
}
