// A standard queue in memory. Its messages only point to jobs in the table. When the process ends, the messages are
// lost, and the next start sends them again (`server.ts`).
import { createHash, randomUUID } from "node:crypto";
import { receiveCountMax } from "../stack/queue-rules.ts";

export interface Message {
  id: string;
  body: string;
  group: string | undefined;
  sentAt: number;
  visibleAt: number;
  receiveCount: number;
  firstReceivedAt: number | undefined;
  /** Changes at every receive. An old receipt does not remove the message. */
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
  /** Absent in a queue of dead letters. */
  readonly deadLetters: Queue | undefined;
  #messages: Message[] = [];
  #listeners = new Set<() => void>();

  constructor(name: string, isOfDeadLetters = false) {
    this.name = name;
    this.deadLetters = isOfDeadLetters ? undefined : new Queue(`${name}-dead-letters`, true);
  }

  send({ id = randomUUID(), body, group, delayMs = 0 }: NewMessage): Message {
    const now = Date.now();
    const times = { sentAt: now, visibleAt: now + delayMs, receiveCount: 0, firstReceivedAt: undefined };
    const message = { id, body, group, ...times, receipt: "" };
    this.#add(message);
    return message;
  }

  /**
   * Returns visible messages, and hides them for the visibility timeout. Groups with fewer hidden messages come first,
   * and earlier messages of such groups: SQS promises neither. A message that was received too often becomes a dead
   * letter.
   */
  receive(countMax: number, visibilityTimeoutMs: number): Message[] {
    const now = Date.now();
    this.#bury(now);
    const visible = new Set(this.#messages.filter(({ visibleAt }) => visibleAt <= now));
    const hidden = new Map<string | undefined, number>();
    const hide = ({ group }: Message) => hidden.set(group, (hidden.get(group) ?? 0) + 1);
    for (const each of this.#messages) if (each.receiveCount > 0 && !visible.has(each)) hide(each);
    const received: Message[] = [];
    while (received.length < countMax && visible.size > 0) {
      const hiddenOf = ({ group }: Message) => hidden.get(group) ?? 0;
      const next = [...visible].reduce((best, each) => (hiddenOf(each) < hiddenOf(best) ? each : best));
      visible.delete(next);
      hide(next);
      next.visibleAt = now + visibilityTimeoutMs;
      next.receiveCount += 1;
      next.firstReceivedAt ??= now;
      next.receipt = randomUUID();
      received.push(next);
    }
    return received;
  }

  /** An old receipt removes nothing. */
  remove(receipt: string): void {
    this.#messages = this.#messages.filter((each) => each.receipt !== receipt);
  }

  /** Returns the time at which the next message becomes visible, or undefined when the queue is empty. */
  nextVisibleAt(): number | undefined {
    return this.#messages.reduce<number | undefined>(
      (next, { visibleAt }) => Math.min(next ?? visibleAt, visibleAt),
      undefined,
    );
  }

  /** Calls `listener` when a message arrives. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add(message: Message): void {
    this.#messages.push(message);
    for (const listener of this.#listeners) listener();
  }

  #bury(now: number): void {
    const isSpent = ({ receiveCount, visibleAt }: Message) => receiveCount >= receiveCountMax && visibleAt <= now;
    if (!this.deadLetters || !this.#messages.some(isSpent)) return;
    for (const each of this.#messages.filter(isSpent)) this.deadLetters.#add({ ...each, receipt: "" });
    this.#messages = this.#messages.filter((each) => !isSpent(each));
  }
}

/** What SQS says about a received message besides its body. */
export function systemAttributes({ receiveCount, sentAt, firstReceivedAt, group }: Message): Record<string, string> {
  return {
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: String(sentAt),
    SenderId: "local",
    ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    ...(group !== undefined && { MessageGroupId: group }),
  };
}

export function md5(body: string): string {
  return createHash("md5").update(body).digest("hex");
}
