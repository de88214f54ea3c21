// AppSync Events of the local server over sockets in memory.
import {
  Authorization,
  type Authorizer,
  type AuthorizerEvent,
  type Headers,
} from "../../../infra/local/live/authorization.ts";
import { Connection, type Realtime } from "../../../infra/local/live/connection.ts";
import { Hub } from "../../../infra/local/live/hub.ts";
import { type Handlers, publisher } from "../../../infra/local/live/publish.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
export type Sent = any;

export interface LiveInMemoryOptions {
  /** Default: everything is allowed. */
  authorizer?: Authorizer;
  handlers?: Handlers;
  pass?: Realtime["pass"];
}

/** `asked` has the events that the authorizer got. */
export function liveInMemory({ authorizer, handlers = {}, pass = (hear) => hear() }: LiveInMemoryOptions = {}) {
  const asked: AuthorizerEvent[] = [];
  const thrown: unknown[] = [];
  const onError = (error: unknown) => void thrown.push(error);
  const asking: Authorizer = async (event) => {
    asked.push(event);
    return authorizer ? authorizer(event) : { isAuthorized: true };
  };
  const authorization = new Authorization(asking, onError);
  const hub = new Hub();
  const publish = publisher(authorization, hub, handlers);
  const realtime: Realtime = { authorization, hub, publish, pass, onError };
  return {
    asked,
    thrown,
    realtime,
    client: (headers?: Headers) => new LiveClient(realtime, headers ?? { authorization: "token", host: "local" }),
    /** Publishes as a function does. */
    publish: (channel: string, ...events: string[]) => publish({ channel, events, headers: {}, isSigned: true }),
  };
}

export class LiveClient {
  readonly got: Sent[] = [];
  /** How the connection has ended. */
  ended: string | undefined;
  bufferedAmount = 0;
  readonly #connection: Connection;

  constructor(realtime: Realtime, headers: Headers) {
    this.#connection = new Connection(this, realtime, headers);
  }

  /** Sends a message of the client, or a text. Returns what the server answered. */
  async say(message: object | string): Promise<Sent[]> {
    const before = this.got.length;
    await this.#connection.receive(typeof message === "string" ? message : JSON.stringify(message));
    return this.got.slice(before);
  }

  subscribe(id: string, channel: unknown, authorization: unknown = { Authorization: "token", host: "local" }) {
    return this.say({ type: "subscribe", id, channel, authorization });
  }

  publish(channel: string, events: unknown, authorization: unknown = { Authorization: "token", host: "local" }) {
    return this.say({ type: "publish", id: "p", channel, events, authorization });
  }

  /** The events that a subscription got. */
  heard(id: string): string[] {
    return this.got.filter((each) => each.type === "data" && each.id === id).map(({ event }) => event);
  }

  send(text: string): void {
    this.got.push(JSON.parse(text));
  }

  close(code: number): void {
    this.ended = String(code);
    this.#connection.ended();
  }

  terminate(): void {
    this.ended = "terminated";
    this.#connection.ended();
  }
}
