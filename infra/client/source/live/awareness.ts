// What pages share that nobody stores: cursors, selections, who types. A page that is alone says it only when it renews
// its channels.
import type { Surroundings } from "./surroundings.ts";

/** Another page on the document. A user can have several. */
export interface Peer {
  page: string;
  /** From the ticket: a page cannot speak for another user. */
  user: { userId: string; name?: string };
  state: Readonly<Record<string, unknown>>;
}

interface Message {
  v: 1;
  page: string;
  clock: number;
  /** null: the page has left. */
  state: Peer["state"] | null;
  /** The page has just come: it does not know the others. */
  isNew?: boolean;
}

const bytesMax = 4_096;
const apartMs = 250;
/** More pages of one user are not shown. */
const pagesMax = 20;
/** A page that is silent for `silentMs` has left, so each says something at least every `aliveMs`. */
const [aliveMs, silentMs, tickMs] = [15_000, 30_000, 5_000];
/** Each message goes to all pages. So more pages than this send, together, about as often as this many. */
const crowdMin = 16;

interface Hooks {
  publish: (text: string) => void;
  changed: (peers: readonly Peer[]) => void;
}

export class Awareness {
  readonly #surroundings: Surroundings;
  readonly #hooks: Hooks;
  readonly #page: string = crypto.randomUUID();
  readonly #peers = new Map<string, { peer: Peer; clock: number; heardAt: number; pace: number }>();
  #state: Record<string, unknown> = {};
  #clock = 0;
  #sentAt = -Infinity;
  #isUsed = false;
  #isJoined = false;
  #isNew = false;
  /** The state has changed while the page was alone. */
  #isUnsaid = false;
  #cancelSend: (() => void) | undefined;
  #cancelTick: () => void = () => undefined;

  constructor(surroundings: Surroundings, hooks: Hooks) {
    this.#surroundings = surroundings;
    this.#hooks = hooks;
  }

  /** From now on, this page tells others that it is there. */
  use(): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    if (this.#isJoined) this.join();
  }

  share(name: string, value: unknown): void {
    const { [name]: old, ...rest } = this.#state;
    const state = value === null || value === undefined ? rest : { ...rest, [name]: value };
    const longest = this.#text({ clock: Number.MAX_SAFE_INTEGER, state, isNew: true });
    if (new TextEncoder().encode(longest).length > bytesMax) {
      throw new RangeError(`What a page shares has at most ${bytesMax} bytes as JSON.`);
    }
    const isSame = JSON.stringify(old) === JSON.stringify(state[name]);
    this.#state = state;
    this.use();
    this.#isUnsaid ||= !isSame;
    if (!isSame && this.#peers.size > 0) this.#send();
  }

  join(): void {
    this.#isJoined = this.#isNew = true;
    if (!this.#isUsed) return;
    this.#send();
    this.#tick();
  }

  /** The connection has ended. `isOver`: the page says so, while it still can. */
  leave(isOver = false): void {
    if (isOver && this.#isJoined && this.#peers.size > 0) this.#publish(null);
    this.#isJoined = false;
    this.#cancelSend?.();
    this.#cancelSend = undefined;
    this.#cancelTick();
    this.#remove(() => true);
  }

  /** `heard`: a message, with the user whom the engine adds. */
  hear(heard: unknown): void {
    const { user, state: message } = Object(heard) as { user?: Peer["user"]; state?: unknown };
    const { v, page, clock, state, isNew } = Object(message) as Message;
    if (v !== 1 || page === this.#page || typeof user?.userId !== "string" || typeof clock !== "number") return;
    // Nobody takes the page of another user.
    const key = JSON.stringify([user.userId, page]);
    const known = this.#peers.get(key);
    if (known ? clock <= known.clock : this.#pagesOf(user.userId) >= pagesMax) return;
    if (state === null) this.#remove((each) => each === key);
    if (typeof state !== "object" || state === null) return;
    const peer = { page, user, state };
    const isOther = !known || JSON.stringify(known.peer) !== JSON.stringify(peer);
    this.#peers.set(key, {
      peer: isOther ? peer : known.peer,
      clock,
      heardAt: this.#surroundings.now(),
      pace: this.#pace,
    });
    if (isOther) this.#changed();
    // Not all answer in the same moment.
    if ((isNew || this.#isUnsaid) && this.#isUsed) this.#send(this.#surroundings.random() * apartMs * this.#pace);
  }

  /** How much slower than few pages these speak. */
  get #pace(): number {
    return Math.max(1, this.#peers.size / crowdMin);
  }

  #pagesOf(userId: string): number {
    return [...this.#peers.values()].filter(({ peer }) => peer.user.userId === userId).length;
  }

  #text({ isNew, ...said }: Pick<Message, "clock" | "state"> & { isNew: boolean }): string {
    return JSON.stringify({ v: 1, page: this.#page, ...said, ...(isNew && { isNew }) } satisfies Message);
  }

  #publish(state: Message["state"]): void {
    this.#hooks.publish(this.#text({ clock: ++this.#clock, state, isNew: this.#isNew }));
  }

  #send(leastMs = 0): void {
    if (!this.#isJoined || this.#cancelSend) return;
    const waitMs = Math.max(leastMs, this.#sentAt + apartMs * this.#pace - this.#surroundings.now());
    this.#cancelSend = this.#surroundings.after(waitMs, () => {
      this.#cancelSend = undefined;
      this.#sentAt = this.#surroundings.now();
      this.#publish(this.#state);
      this.#isNew = this.#isUnsaid = false;
    });
  }

  #tick(): void {
    const now = this.#surroundings.now();
    this.#remove((key) => {
      // A crowd that has become small, or large, was heard at another pace.
      const { heardAt = 0, pace = 1 } = this.#peers.get(key) ?? {};
      return now - heardAt >= silentMs * Math.max(pace, this.#pace);
    });
    if (this.#peers.size > 0 && now - this.#sentAt >= aliveMs * this.#pace) this.#send();
    this.#cancelTick();
    this.#cancelTick = this.#surroundings.after(tickMs, () => this.#tick());
  }

  #remove(isGone: (key: string) => boolean): void {
    const gone = [...this.#peers.keys()].filter(isGone);
    for (const key of gone) this.#peers.delete(key);
    if (gone.length > 0) this.#changed();
  }

  #changed(): void {
    this.#hooks.changed([...this.#peers.values()].map(({ peer }) => peer));
  }
}
