// A standard queue in memory. Its messages only point to jobs in the table. When the process ends, the messages are
// lost, and the next start sends them again (`resume.ts`).
import { createHash, randomUUID } from "node:crypto";

export interface Message {
  id: string;
  body: string;
  group: string | undefined;
  sentAt: number;
  visibleAt: number;
  receiveCount: number;
  firstReceivedAt: number | undefined;
  /** Changes at every receive. An old receipt can neither remove nor postpone the message. */
  receipt: string;
}

export interface NewMessage {
  id?: string;
  body: string;
  group?: string | undefined;
  delayMs?: number;
}

export class Queue {
  readonly name: string;
  #messages: Message[] = [];
  /** The turn in which each group was last served. The group with the lowest turn is next. */
  #servedAt = new Map<string | undefined, number>();
  #turn = 0;
  #listeners = new Set<() => void>();

  constructor(name: string) {
    this.name = name;
  }

  send({ id = randomUUID(), body, group, delayMs = 0 }: NewMessage): Message {
    const now = Date.now();
    const times = { sentAt: now, visibleAt: now + delayMs, receiveCount: 0, firstReceivedAt: undefined };
    const message = { id, body, group, ...times, receipt: "" };
    this.#messages.push(message);
    this.#notify();
    return message;
  }

  /** Returns visible messages, from the groups in turn, and hides them for the visibility timeout. */
  receive(countMax: number, visibilityTimeoutMs: number): Message[] {
    const received: Message[] = [];
    while (received.length < countMax) {
      const next = this.#next();
      if (!next) break;
      next.visibleAt = Date.now() + visibilityTimeoutMs;
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

  postpone(receipt: string, visibilityTimeoutMs: number): void {
    const message = this.#messages.find((each) => each.receipt === receipt);
    if (message) message.visibleAt = Date.now() + visibilityTimeoutMs;
    this.#notify();
  }

  /** Returns the time at which the next message becomes visible, or undefined when the queue is empty. */
  nextVisibleAt(): number | undefined {
    return this.#messages.reduce<number | undefined>(
      (next, { visibleAt }) => Math.min(next ?? visibleAt, visibleAt),
      undefined,
    );
  }

  /** Calls `listener` when a message arrives or its visibility changes. Returns a function that unsubscribes. */
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

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

export function md5(body: string): string {
  return createHash("md5").update(body).digest("hex");
}
