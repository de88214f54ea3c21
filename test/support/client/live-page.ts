// A page with a clock of its own, the engine of its WebSockets and a service with one document, for tests of live clients.

import * as Y from "yjs";
import { ApiError } from "../../../infra/client/source/api-error.ts";
import { Links } from "../../../infra/client/source/live/link.ts";
import type { Shared } from "../../../infra/client/source/live/session.ts";
import type { PageChange, Surroundings } from "../../../infra/client/source/live/surroundings.ts";
import { turns } from "../turns.ts";

type Fields = Record<string, unknown>;
interface Sent extends Fields {
  type: string;
  id?: string;
  channel?: string;
  events?: string[];
}

/** Clocks and timers that a test moves. */
export class Clock {
  ms = 0;
  /** What the wall clock has gained while the machine slept. */
  sleptMs = 0;
  random = 0.5;
  #timers: { at: number; work: () => void }[] = [];
  readonly #watchers = new Set<(change: PageChange) => void>();

  readonly surroundings = (connect: Surroundings["connect"]): Surroundings => ({
    now: () => this.ms,
    wall: () => 1_700_000_000_000 + this.ms + this.sleptMs,
    random: () => this.random,
    after: (ms, work) => {
      const timer = { at: this.ms + Math.max(0, ms), work };
      this.#timers.push(timer);
      return () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
      };
    },
    connect,
    watch: (heard) => {
      this.#watchers.add(heard);
      return () => void this.#watchers.delete(heard);
    },
  });

  /** Lets time pass, timer by timer, with the work that waits for nothing else. */
  async pass(ms: number): Promise<void> {
    const end = this.ms + ms;
    for (;;) {
      await turns(6);
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!next) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.ms = Math.max(this.ms, next.at);
      next.work();
    }
    this.ms = end;
  }

  async change(change: PageChange): Promise<void> {
    for (const heard of [...this.#watchers]) heard(change);
    await turns(6);
  }

  get timers(): number {
    return this.#timers.length;
  }
}

class FakeSocket {
  readyState = 0;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;
  readonly subscribed = new Map<string, string>();
  readonly #engine: Engine;
  readonly protocols: string[];

  constructor(engine: Engine, protocols: string[]) {
    this.#engine = engine;
    this.protocols = protocols;
    engine.sockets.push(this);
    queueMicrotask(() => {
      if (engine.isDown) return this.drop();
      this.readyState = 1;
      this.onopen?.();
    });
  }

  send(text: string): void {
    const message = JSON.parse(text) as Sent;
    const { type, id = "", channel = "" } = message;
    this.#engine.sent.push(message);
    if (this.#engine.loses.has(type)) return;
    const refused = this.#engine.refuses.has(type);
    if (type === "connection_init") this.receive({ type: "connection_ack", connectionTimeoutMs: 300_000 });
    if (type === "subscribe" && !refused) this.subscribed.set(channel, id);
    if (type === "subscribe") this.receive({ type: refused ? "subscribe_error" : "subscribe_success", id });
    if (type === "unsubscribe")
      for (const [name, each] of this.subscribed) if (each === id) this.subscribed.delete(name);
    if (type === "publish") this.#engine.relay(channel, message.events ?? [], JSON.stringify(message.authorization));
  }

  receive(message: object): void {
    queueMicrotask(() => this.readyState === 1 && this.onmessage?.({ data: JSON.stringify(message) }));
  }

  close(): void {
    if (this.readyState < 2) queueMicrotask(() => this.drop());
  }

  /** The connection ends, whoever ends it. */
  drop(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }
}

/** What all pages of a test share: the engine of the channels. */
export class Engine {
  sockets: FakeSocket[] = [];
  readonly sent: Sent[] = [];
  /** Types of messages that it refuses. */
  readonly refuses = new Set<string>();
  /** Types of messages that are lost. */
  readonly loses = new Set<string>();
  isDown = false;

  readonly connect = (_url: string, protocols: string[]) => new FakeSocket(this, protocols) as unknown as WebSocket;

  get open(): FakeSocket[] {
    return this.sockets.filter(({ readyState }) => readyState === 1);
  }

  /** Sends a message to those who listen to a channel. */
  tell(channel: string, message: object): void {
    for (const socket of this.open) {
      const id = socket.subscribed.get(channel);
      if (id) socket.receive({ type: "data", id, event: JSON.stringify(message) });
    }
  }

  /** As the handler of the channel for awareness does: adds the user of the ticket. */
  relay(channel: string, events: string[], authorization: string): void {
    const [, userId] = /ticket-of-(\w+)/.exec(authorization) ?? [];
    for (const event of events) this.tell(channel, { user: { userId, name: `${userId}!` }, state: JSON.parse(event) });
  }

  count(type: string): number {
    return this.sent.filter((each) => each.type === type).length;
  }
}

export const failure = (status: string, more: object = {}) => new ApiError(status, "No.", { httpStatus: 400, ...more });

/** A service with one document, as one user calls it. `log`: the calls, with what matters of their data. */
export class Service {
  readonly tables: Record<string, Map<string, Fields>> = { comments: new Map(), reactions: new Map() };
  /** The stored content of editors. */
  readonly editors = new Map<string, { generation: string; doc: Y.Doc }>();
  present: Fields[] = [];
  notifications: Fields[] = [];
  seq = 0;
  window = 0;
  role = "editor";
  /** Tells pages what calls of editors have changed. */
  engine: Engine | undefined;
  readonly log: string[] = [];
  readonly keys: unknown[] = [];
  /** Throws for a call, or waits before it. */
  before: (name: string) => unknown = () => undefined;
  /** Throws for a call whose work is done: its reply is lost. */
  after: (name: string) => unknown = () => undefined;
  /** What becomes of a message. */
  fate: (tell: () => void) => void = (tell) => tell();
  readonly #results = new Map<unknown, { text: string; result: unknown }>();

  async #called(name: string, detail: unknown = "", key?: unknown): Promise<void> {
    this.log.push(`${name} ${detail}`.trim());
    if (key) this.keys.push(key);
    await this.before(name);
  }

  /** Reserves a number for a change. Returns what tells of it, once the change is committed. */
  reserve(kind: string, ids: readonly string[]): () => void {
    const seq = ++this.seq;
    return () => this.fate(() => this.engine?.tell(`/doc/${this.window}`, { v: 1, seq, kind, ids }));
  }

  /** The work of a write, done once for an idempotency key. */
  async #written(
    name: string,
    options: Fields,
    data: unknown,
    work: () => unknown,
    [kind, ids]: [string, string[]],
  ): Promise<unknown> {
    const key = options?.idempotencyKey;
    await this.#called(name, options?.keepalive ? "keepalive" : "", key);
    const text = JSON.stringify(data);
    const known = this.#results.get(key);
    if (known && known.text !== text) throw failure("ABORTED");
    if (known) return known.result;
    const tell = this.engine && this.reserve(kind, ids);
    const result = work();
    this.#results.set(key, { text, result });
    tell?.();
    await this.after(name);
    return result;
  }

  callsOf(user: string) {
    const names = (kind: string) => ({ now: `/${kind}/${this.window}`, next: `/${kind}/${this.window + 1}` });
    const items = async (kind: string, ids?: string[]) => {
      await this.#called("get", `${kind} ${ids ?? "all"}`);
      const table = this.tables[kind] ?? new Map();
      return [...table.entries()].filter(([id]) => !ids || ids.includes(id)).map(([, item]) => structuredClone(item));
    };
    const add = (kind: string, id: string, item: Fields) => this.tables[kind]?.set(id, item);
    const ok = (id: string) => ({ [id]: { success: true, id } });
    const write =
      <Data>(name: string, about: (data: Data) => [string, string[]], work: (data: Data) => unknown) =>
      (data: Data, options: Fields) =>
        this.#written(name, options, data, () => work(data), about(data));
    const ofThread = ({ annotationId }: { annotationId: string }): [string, string[]] => ["comments", [annotationId]];
    return {
      liveOpen: async ({ documentId }: Fields) => {
        await this.#called("open");
        const of = documentId ? { document: names("doc"), awareness: names("aware") } : {};
        return {
          ...{ url: "wss://live.example/event/realtime", host: "live.example", ticket: `ticket-of-${user}` },
          ...{ channels: { ...of, user: names("user") }, renewSeconds: 120 },
          ...(documentId ? { seq: this.seq, role: this.role } : {}),
        };
      },
      liveClose: async (_: object, options: Fields) => this.#called("close", options.keepalive ? "keepalive" : ""),
      documentsDataGet: {
        async *entries({ kind, ids }: { kind: string; ids?: string[] }) {
          yield* await items(kind, ids);
        },
      },
      presenceGet: {
        pages: async function* (this: Service) {
          await this.#called("presence");
          yield { users: structuredClone(this.present) };
        }.bind(this),
      },
      notificationsGet: async () => {
        await this.#called("notifications");
        const unreadCount = this.notifications.filter(({ isRead }) => !isRead).length;
        return {
          notifications: structuredClone(this.notifications),
          unreadCount,
          unreadIsMore: false,
          nextPageToken: null,
        };
      },
      notificationsRead: write(
        "read",
        () => ["notifications", []],
        () => {
          this.notifications = this.notifications.map((each) => ({ ...each, isRead: true }));
          return {};
        },
      ),
      documentsDataAdd: write(
        "add",
        ({ comments, reactions }: Record<string, Record<string, string>[]>) =>
          comments
            ? ["comments", [String(comments[0]?.annotationId)]]
            : ["reactions", [String(reactions?.[0]?.reactionId)]],
        ({ comments = [], reactions = [] }) => {
          for (const each of comments) add("comments", String(each.annotationId), each);
          for (const each of reactions) add("reactions", String(each.reactionId), each);
          return { comments: {}, reactions: {} };
        },
      ),
      commentsAdd: write(
        "commentsAdd",
        ofThread,
        ({ annotationId, comments }: { annotationId: string; comments: Fields[] }) => {
          const thread = this.tables.comments?.get(annotationId) as { comments: Fields[] } | undefined;
          if (!thread) throw failure("NOT_FOUND");
          add("comments", annotationId, { ...thread, comments: [...thread.comments, ...comments] });
          return ok("c");
        },
      ),
      commentsUpdate: write("commentsUpdate", ofThread, () => ({})),
      commentsDelete: write("commentsDelete", ofThread, () => ({})),
      commentannotationsUpdate: write(
        "update",
        ({ annotationIds }: { annotationIds: string[]; update: Fields }) => ["comments", annotationIds],
        ({ annotationIds: [id], update }) => {
          add("comments", String(id), { ...this.tables.comments?.get(String(id)), ...update });
          return ok(String(id));
        },
      ),
      crdtGet: async ({ editorId, stateVector }: Record<string, string>) => {
        await this.#called("crdtGet");
        const editor = this.editors.get(editorId ?? "");
        if (!editor) throw failure("NOT_FOUND");
        const { generation, doc } = editor;
        const update = Y.encodeStateAsUpdate(doc, Buffer.from(stateVector ?? "", "base64"));
        const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
        return { generation, update: base64(update), stateVector: base64(Y.encodeStateVector(doc)) };
      },
      crdtUpdate: write(
        "crdtUpdate",
        ({ editorId = "" }: Record<string, string>) => ["crdt", [editorId]],
        ({ editorId = "", update = "", generation, type }) => {
          const editor = this.editors.get(editorId);
          if (!editor && (!type || generation)) throw failure("NOT_FOUND");
          if (editor && generation && editor.generation !== generation) throw failure("FAILED_PRECONDITION");
          const stored = editor ?? { generation: "g1", doc: new Y.Doc() };
          this.editors.set(editorId, stored);
          Y.applyUpdate(stored.doc, Buffer.from(update, "base64"));
          return { generation: stored.generation };
        },
      ),
      documentsDataDelete: write(
        "delete",
        ({ kind, ids }) => [kind, ids],
        ({ kind, ids }: { kind: string; ids: string[] }) => {
          for (const id of ids) this.tables[kind]?.delete(id);
          return ok(String(ids));
        },
      ),
    };
  }
}

/** A page of a user. Pages of one test can share the clock, the engine and the service. */
export function livePage(user = "alice", engine = new Engine(), service = new Service(), clock = new Clock()) {
  const surroundings = clock.surroundings(engine.connect);
  const calls = service.callsOf(user);
  const shared: Shared = { calls, links: new Links(surroundings), surroundings, user: () => user };
  return { clock, engine, service, shared };
}
