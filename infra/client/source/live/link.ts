// One WebSocket in the protocol of AWS AppSync Events, for all documents of a client.
import type { Surroundings } from "./surroundings.ts";

const protocol = "aws-appsync-event-ws";
/** How long an answer may take. */
const answerMs = 10_000;
const [tickMs, sleepMs] = [10_000, 30_000];
/** Without a word of the engine for this long, the connection has ended; unless the engine says another time. */
const silentMsDefault = 300_000;

/** Where to connect, and what allows it. */
export interface Address {
  url: string;
  host: string;
  ticket: string;
}

interface Answer {
  type: string;
  id?: string;
  event?: string | string[];
  connectionTimeoutMs?: number;
}

interface Subscription {
  id: string;
  isReady: boolean;
  hear: (text: string) => void;
}

export class Link {
  /** Rejects if the connection fails before it is ready. */
  readonly ready: Promise<void>;
  /** What to call when the connection ends, for each of its users. */
  readonly #users = new Set<() => void>();
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, (error?: Error) => void>();
  readonly #channels = new Map<string, Subscription>();
  readonly #surroundings: Surroundings;
  #cancelTick: () => void = () => undefined;
  #heardAt: number;
  #tickedAt: number;
  #silentMs = silentMsDefault;
  isOver = false;

  constructor({ url, host, ticket }: Address, surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#heardAt = surroundings.now();
    this.#tickedAt = surroundings.wall();
    const header = btoa(JSON.stringify({ host, Authorization: ticket }))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replaceAll("=", "");
    const socket = surroundings.connect(url, [protocol, `header-${header}`]);
    this.#socket = socket;
    this.ready = this.#answered("");
    socket.onopen = () => this.#send({ type: "connection_init" });
    socket.onmessage = ({ data }) => this.#hear(String(data));
    socket.onclose = () => this.end("The connection has ended.");
    this.#tick();
  }

  get channels(): number {
    return this.#channels.size;
  }

  join(lost: () => void): void {
    this.#users.add(lost);
  }

  /** The last user who leaves ends the connection. */
  leave(lost: () => void): void {
    this.#users.delete(lost);
    if (this.#users.size === 0) this.end("No one uses the connection.");
  }

  /** Resolves when the engine has accepted. */
  async subscribe(channel: string, { host, ticket }: Address, hear: (text: string) => void): Promise<void> {
    if (this.isOver) throw new Error("The connection has ended.");
    if (this.#channels.get(channel)?.isReady) return;
    const subscription: Subscription = { id: crypto.randomUUID(), hear, isReady: false };
    this.#channels.set(channel, subscription);
    const { id } = subscription;
    this.#send({ type: "subscribe", id, channel, authorization: { host, Authorization: ticket } });
    await this.#answered(id);
    subscription.isReady = true;
  }

  unsubscribe(channel: string): void {
    const id = this.#channels.get(channel)?.id;
    this.#channels.delete(channel);
    if (id) this.#send({ type: "unsubscribe", id });
  }

  publish(channel: string, { host, ticket }: Address, text: string): void {
    const authorization = { host, Authorization: ticket };
    this.#send({ type: "publish", id: crypto.randomUUID(), channel, events: [text], authorization });
  }

  end(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#cancelTick();
    for (const waiting of [...this.#waiting.values()]) waiting(new Error(reason));
    const users = [...this.#users];
    this.#users.clear();
    this.#socket.close();
    for (const lost of users) lost();
  }

  #send(message: object): void {
    // A socket that is not open throws, or drops it.
    if (this.#socket.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  #answered(id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = (error?: Error) => {
        this.#waiting.delete(id);
        cancel();
        if (error) reject(error);
        else resolve();
      };
      const cancel = this.#surroundings.after(answerMs, () => over(new Error("The engine does not answer.")));
      this.#waiting.set(id, over);
    });
  }

  #hear(text: string): void {
    const { type, id = "", event, connectionTimeoutMs } = JSON.parse(text) as Answer;
    this.#heardAt = this.#surroundings.now();
    if (type === "data") {
      for (const subscription of this.#channels.values()) {
        if (subscription.id === id) for (const each of [event ?? []].flat()) subscription.hear(each);
      }
    } else if (type === "connection_ack") {
      this.#silentMs = connectionTimeoutMs ?? silentMsDefault;
      this.#waiting.get("")?.();
    } else if (type === "subscribe_success") this.#waiting.get(id)?.();
    else if (/^(?:subscribe|connection)_error$/.test(type)) {
      this.#waiting.get(id)?.(new Error("The engine has refused the ticket."));
    }
  }

  /** A machine that slept, or lost its network, can keep a socket that is dead. */
  #tick(): void {
    const { now, wall, after } = this.#surroundings;
    if (wall() - this.#tickedAt > sleepMs) this.end("The machine slept.");
    else if (now() - this.#heardAt > this.#silentMs) this.end("The engine is silent.");
    else this.#cancelTick = after(tickMs, () => this.#tick());
    this.#tickedAt = wall();
  }
}

/** AppSync takes 100 subscriptions in a connection. A document has up to six. */
const channelsMax = 80;

/** The connections of a client: one, unless it shows many documents. */
export class Links {
  readonly #surroundings: Surroundings;
  #last: Link | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** `lost` is called once when the connection ends, unless its user leaves before. */
  join(address: Address, lost: () => void): Link {
    if (!this.#last || this.#last.isOver || this.#last.channels > channelsMax)
      this.#last = new Link(address, this.#surroundings);
    this.#last.join(lost);
    return this.#last;
  }
}
