// What a live document or inbox shows, for all who look at it. It is open while somebody does.
import { dueAt, noReads, type Read, type ReadEvent, type Reads, step } from "./reads.ts";
import { type LiveState, type Opened, type Place, Session, type Shared } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Status {
  state: LiveState;
  /** Why it is not live. */
  error?: unknown;
}

/** For each part of the state, what to call when it has changed; or one function for all. */
export type Heard<Shown> = (() => void) | { [Part in keyof Shown]?: ((value: Shown[Part]) => void) | undefined };

/** React and others end a subscription and begin it anew in one go. */
const lingerMs = 1_000;
const [retryLeastMs, retryMostMs] = [2_000, 10_000];

/**
 * Reads a topic. Resolves to a function that shows what was read. If the topic is not to be read again for a while, the
 * function returns for how many ms.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most return nothing
export type Reader = (ids: Read["ids"]) => Promise<() => number | void>;

/** A topic that somebody follows. */
export interface Following {
  stop: () => void;
  /** Reads the topic again. */
  again: () => void;
  surroundings: Surroundings;
}

export class LiveStore<Shown extends { status: Status }> {
  protected readonly place: Place;
  protected readonly shared: Shared;
  protected readonly readers: Record<string, Reader> = {};
  protected session: Session | undefined;
  /** Never changed: each change makes a new one. */
  protected shown: Shown;
  readonly #empty: Shown;
  readonly #listeners = new Set<{ heard: Heard<Shown> }>();
  #reads: Reads = noReads;
  /** Whether something can be read: it was opened, and is neither paused nor denied. */
  #isOpen = false;
  #cancelTimer: () => void = () => undefined;
  #cancelEnd: () => void = () => undefined;

  constructor(place: Place, shared: Shared, empty: Shown) {
    this.place = place;
    this.shared = shared;
    this.#empty = empty;
    this.shown = empty;
  }

  /** The same object until something has changed. */
  readonly getSnapshot = (): Shown => this.shown;

  /** Calls back when something has changed. Returns what ends that. The last one that ends closes the connection. */
  readonly subscribe = (heard: Heard<Shown>): (() => void) => {
    const listener = { heard };
    this.#listeners.add(listener);
    this.listened(heard);
    this.#cancelEnd();
    this.session ??= new Session(this.place, this.shared, {
      opened: (reply, sentAt, isJoin) => this.opened(reply, sentAt, isJoin),
      message: (text) => this.message(JSON.parse(text)),
      awareness: (text) => this.awareness(JSON.parse(text)),
      status: (state, error) => this.status(state, error),
      leaving: (canTell) => this.leaving(canTell),
    });
    this.#useTopics();
    return () => {
      this.#listeners.delete(listener);
      this.#useTopics();
      if (this.#listeners.size > 0) return;
      this.#cancelEnd();
      this.#cancelEnd = this.shared.surroundings.after(lingerMs, () => {
        this.session?.end();
        this.session = undefined;
        this.forget();
        this.show(this.#empty);
      });
    };
  };

  /** Reads something that is no part of the state, for one who also hears of parts. */
  follow(topic: string, reader: Reader, heard: Exclude<Heard<Shown>, () => void>): Following {
    if (this.readers[topic]) throw new Error(`Only one at a time can follow ${topic}.`);
    this.readers[topic] = reader;
    const end = this.subscribe({ ...heard, [topic]: () => undefined });
    const stop = () => {
      delete this.readers[topic];
      this.dispatch({ type: "drop", topic });
      end();
    };
    const again = () => this.dispatch({ type: "changed", topic, ids: "all" });
    return { stop, again, surroundings: this.shared.surroundings };
  }

  protected opened({ seq }: Opened, sentAt: number, isJoin: boolean): void {
    this.#isOpen = true;
    this.dispatch({ type: "opened", seq, sentAt, isJoin });
    this.#useTopics();
  }

  protected message(message: { seq?: number; kind: string; ids?: string[] }): void {
    this.dispatch({ ...message, type: "message" });
    // Its access can have changed.
    if (message.kind === "document") this.session?.renewSoon();
  }

  protected awareness(_message: unknown): void {}
  protected listened(_heard: Heard<Shown>): void {}
  protected leaving(_canTell: boolean): void {}
  /** Drops what was read. */
  protected forget(): void {}

  protected status(state: LiveState, error?: unknown): void {
    if (state === "paused" || state === "denied") {
      this.#isOpen = false;
      this.#reads = noReads;
      this.#cancelTimer();
    }
    const status = error === undefined ? { state } : { state, error };
    if (state === "denied") {
      this.forget();
      this.show({ ...this.#empty, status });
    } else if (state !== this.shown.status.state || error !== this.shown.status.error)
      this.show({ status } as Partial<Shown>);
  }

  protected show(change: Partial<Shown>): void {
    const before = this.shown;
    const parts = Object.keys(change) as (keyof Shown)[];
    const changed = parts.filter((part) => change[part] !== before[part]);
    if (changed.length === 0) return;
    this.shown = { ...before, ...change };
    for (const { heard } of [...this.#listeners]) {
      // One that throws must not keep others from hearing.
      try {
        if (typeof heard === "function") heard();
        else for (const part of changed) heard[part]?.(this.shown[part]);
      } catch (thrown) {
        console.error(thrown);
      }
    }
  }

  protected dispatch(event: ReadEvent): void {
    if (!this.#isOpen) return;
    const { now, after } = this.shared.surroundings;
    const [reads, began] = step(this.#reads, event, now());
    this.#reads = reads;
    this.#cancelTimer();
    const due = dueAt(reads);
    if (due < Infinity) this.#cancelTimer = after(due - now(), () => this.dispatch({ type: "time" }));
    for (const read of began) void this.#read(read);
  }

  async #read(read: Read): Promise<void> {
    const { random } = this.shared.surroundings;
    try {
      const show = await (this.readers[read.topic] as Reader)(read.ids);
      const restMs = this.#reads.topics[read.topic]?.running === read ? show() : undefined;
      this.dispatch({ type: "done", read, restMs: restMs || undefined });
    } catch (error) {
      const { status, retryAfterSeconds = 0 } = error as { status?: string; retryAfterSeconds?: number };
      // The next opening decides on the access.
      if (status === "PERMISSION_DENIED") this.session?.renewSoon();
      const retryMs = retryAfterSeconds * 1_000 + retryLeastMs + random() * (retryMostMs - retryLeastMs);
      this.dispatch({ type: "failed", read, retryMs });
    }
  }

  /** Reads what somebody looks at. A function looks at all. */
  #useTopics(): void {
    const isUsed = (topic: string) =>
      [...this.#listeners].some(({ heard }) => typeof heard === "function" || heard[topic as keyof Shown]);
    for (const topic of Object.keys(this.readers)) {
      const isKnown = topic in this.#reads.topics;
      if (isUsed(topic) !== isKnown) this.dispatch({ type: isKnown ? "drop" : "use", topic });
    }
  }
}
