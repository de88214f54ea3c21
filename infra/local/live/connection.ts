// One WebSocket of AppSync Events. Facts (AWS's pages and Amplify's client): the types of messages, `ka` once a minute,
// 24 hours, 25 publications a second; connection_init may be left out; a connection is refused by a message, after the
// handshake. Assumed: types of errors other than UnauthorizedException and UnknownOperationError, the codes of closing.
import { jsonIn } from "../../../lib/json.ts";
import { AwsError } from "../aws-json.ts";
import { rateLimit } from "../rate.ts";
import { type Authorization, type Headers, unauthorized } from "./authorization.ts";
import { type Channel, channelOf } from "./channel.ts";
import type { Hub, Subscriber } from "./hub.ts";
import type { Publish } from "./publish.ts";

/** What a connection needs of a WebSocket. */
export interface Socket {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Ends the socket without waiting for what is not sent yet. */
  terminate(): void;
  readonly bufferedAmount: number;
}

export interface Realtime {
  authorization: Authorization;
  hub: Hub;
  publish: Publish;
  /** Passes one event on to a subscription; a hard engine disturbs it. */
  pass(hear: () => void, end: () => void): void;
  onError(thrown: unknown): void;
}

/** What AWS says: a client closes the connection when it gets no message for so long. */
const connectionTimeoutMs = 300_000;
const keepAliveMs = 60_000;
const lifeMs = 86_400_000;
/** AWS's quota can be raised; its page named 100 before it named 200. */
const subscriptionsMax = 100;
/** Bytes that a slow client has not read yet, and messages that wait for those before them. */
const unsentBytesMax = 4 * 1_024 * 1_024;
const waitingMax = 1_000;
const publicationsPerSecond = 25;

interface Message {
  type?: unknown;
  id?: unknown;
  channel?: unknown;
  events?: unknown;
  authorization?: unknown;
}

type Subscription = Subscriber & { channel: Channel };

/** The types of messages that have an id and an answer of their own. Each is a method. */
const steps = ["subscribe", "unsubscribe", "publish"] as const;
const isStep = (type: unknown): type is (typeof steps)[number] => steps.some((each) => each === type);

export class Connection {
  readonly #socket: Socket;
  readonly #realtime: Realtime;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #mayPublish = rateLimit(publicationsPerSecond, 1_000);
  readonly #timers = [
    setInterval(() => this.#send({ type: "ka" }), keepAliveMs),
    setTimeout(() => this.#socket.close(1001, "The connection is 24 hours old."), lifeMs),
  ];
  #isOpen = true;
  #waiting = 0;
  /** The messages of a connection are answered one after the other, so its events keep their order. */
  #last: Promise<void>;

  /** `headers`: what the client says of itself at the handshake. */
  constructor(socket: Socket, realtime: Realtime, headers: Headers | undefined) {
    this.#socket = socket;
    this.#realtime = realtime;
    this.#last = this.#connect(headers);
  }

  /** Takes a message of the client. Resolves when it is answered. */
  receive(text: string): Promise<void> {
    if (this.#waiting >= waitingMax) this.#socket.terminate();
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      this.#waiting -= 1;
      if (this.#isOpen) await this.#answer(messageOf(text));
    });
    return this.#last;
  }

  /** The socket has ended. */
  ended(): void {
    this.#isOpen = false;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const each of this.#subscriptions.values()) this.#realtime.hub.remove(each.channel, each);
    this.#subscriptions.clear();
  }

  async #connect(headers: Headers | undefined): Promise<void> {
    try {
      if (!headers) throw new AwsError("BadRequestException", "Required headers are missing.");
      await this.#realtime.authorization.connect(headers);
    } catch (thrown) {
      this.#send({ type: "connection_error", errors: [this.#errorOf(thrown)] });
      this.#socket.close(1008, "The connection is refused.");
      this.ended();
    }
  }

  async #answer(message: Message | undefined): Promise<void> {
    const { type, id } = message ?? {};
    if (type === "connection_init") return this.#send({ type: "connection_ack", connectionTimeoutMs });
    if (!message || !isStep(type)) {
      const error = new AwsError("UnsupportedOperation", "Operation not supported through the realtime channel");
      return this.#send({ type: "error", ...(typeof id === "string" && { id }), errors: [this.#errorOf(error)] });
    }
    try {
      if (typeof id !== "string" || !/^[\w+-]{1,128}$/.test(id))
        throw new AwsError("BadRequestException", "The id must have 1 to 128 letters, digits, -, _ or +.");
      await this[type](id, message);
    } catch (thrown) {
      this.#send({ type: `${type}_error`, ...(typeof id === "string" && { id }), errors: [this.#errorOf(thrown)] });
    }
  }

  private async subscribe(id: string, message: Message): Promise<void> {
    if (this.#subscriptions.has(id))
      throw new AwsError("DuplicatedOperationError", `There is already a subscription ${id}.`);
    if (this.#subscriptions.size >= subscriptionsMax)
      throw new AwsError("MaxSubscriptionsReachedError", `Max number of ${subscriptionsMax} subscriptions reached`);
    const channel = channelOf(message.channel, "subscribe");
    await this.#realtime.authorization.subscribe(channel, headersOf(message));
    if (!this.#isOpen) return;
    const hear = (event: string) => {
      if (this.#subscriptions.get(id) === subscription) this.#send({ type: "data", id, event });
    };
    const end = () => this.#socket.terminate();
    const subscription = { channel, hear: (event: string) => this.#realtime.pass(() => hear(event), end) };
    this.#subscriptions.set(id, subscription);
    this.#send({ type: "subscribe_success", id });
    this.#realtime.hub.add(channel, subscription);
  }

  private async unsubscribe(id: string): Promise<void> {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) throw new AwsError("UnknownOperationError", `Unknown operation id ${id}`);
    this.#subscriptions.delete(id);
    this.#realtime.hub.remove(subscription.channel, subscription);
    this.#send({ type: "unsubscribe_success", id });
  }

  private async publish(id: string, message: Message): Promise<void> {
    if (!this.#mayPublish()) throw new AwsError("LimitExceededError", "Rate limit exceeded");
    const { channel, events } = message;
    const published = await this.#realtime.publish({ channel, events, headers: headersOf(message) });
    this.#send({ type: "publish_success", id, ...published });
  }

  #errorOf(thrown: unknown): { errorType: string; message: string } {
    if (thrown instanceof AwsError) return { errorType: thrown.type, message: thrown.message };
    this.#realtime.onError(thrown);
    return { errorType: "InternalFailure", message: "Internal Server Error" };
  }

  #send(message: object): void {
    if (!this.#isOpen) return;
    if (this.#socket.bufferedAmount > unsentBytesMax) this.#socket.terminate();
    else this.#socket.send(JSON.stringify(message));
  }
}

function messageOf(text: string): Message | undefined {
  const message = jsonIn(text);
  return typeof message === "object" && message !== null ? message : undefined;
}

function headersOf({ authorization }: Message): Headers {
  const headers = headersFrom(authorization);
  if (!headers) throw unauthorized("Required headers are missing.");
  return headers;
}

/** The texts of an object, by lower-case names. Undefined: it is no object. */
export function headersFrom(given: unknown): Headers | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const texts = Object.entries(given).filter((each): each is [string, string] => typeof each[1] === "string");
  return Object.fromEntries(texts.map(([name, value]) => [name.toLowerCase(), value]));
}
