// Keeps one document, or one inbox, open: opens and renews it, follows the page's life, and tries again after each loss.
import { ApiError } from "../api-error.ts";
import type { Link, Links } from "./link.ts";
import type { PageChange, Surroundings } from "./surroundings.ts";

/** `paused`: the page is hidden. `denied`: the user has no access. */
export type LiveState = "connecting" | "live" | "reconnecting" | "paused" | "denied";

/** What is open. Without a document, it is the user's inbox. */
export interface Place {
  organizationId: string;
  documentId?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the types of the functions are generated
export type Calls = Record<string, any>;

export interface Shared {
  calls: Calls;
  links: Links;
  surroundings: Surroundings;
  /** The user of the token, as far as it is known. */
  user(): string | undefined;
  /** The user's name in it. */
  name?(): string | undefined;
}

interface Channel {
  now: string;
  next: string;
}

/** The reply of live/open. */
export interface Opened {
  url: string;
  host: string;
  ticket: string;
  renewSeconds: number;
  channels: { document?: Channel; awareness?: Channel; user: Channel };
  seq?: number;
  role?: string;
}

interface Heard {
  /** `isJoin`: messages before it can have been missed. */
  opened(reply: Opened, sentAt: number, isJoin: boolean): void;
  message(text: string): void;
  awareness(text: string): void;
  /** `error`: why it is not live. */
  status(state: LiveState, error?: unknown): void;
  /** The connection ends. `canTell`: not yet. */
  leaving(canTell: boolean): void;
}

const hiddenMs = 60_000;
/** Waits between attempts are random between the shortest one and a limit, which doubles. */
const [shortestMs, firstMs, longestMs] = [250, 1_000, 30_000];
/** A connection that lasted for so long was good. */
const goodMs = 30_000;
/** Pages that hear of the same change of access do not all ask at once. */
const spreadMs = 2_000;

export class Session {
  readonly #place: Place;
  readonly #shared: Shared;
  readonly #heard: Heard;
  readonly #lost = () => {
    // An attempt that waits for the connection fails by itself.
    if (!this.#isJoining) this.#again(new Error("The connection has ended."));
  };
  readonly #unwatch: () => void;
  #state: LiveState = "connecting";
  /** Whatever began in an earlier run is out of date. */
  #run = 0;
  #failures = 0;
  #liveAt = Infinity;
  #link: Link | undefined;
  #opened: Opened | undefined;
  #isJoining = false;
  /** Where this page publishes. */
  #awareName: string | undefined;
  /** The names of the last reply, and those that are subscribed. */
  #names: string[] = [];
  #subscribed: string[] = [];
  #cancel: () => void = () => undefined;
  #cancelHiding: () => void = () => undefined;

  constructor(place: Place, shared: Shared, heard: Heard) {
    this.#place = place;
    this.#shared = shared;
    this.#heard = heard;
    this.#unwatch = shared.surroundings.watch((change) => this.#page(change));
    void this.#attempt();
  }

  /** Opens again soon, because the access or the presence can have changed. */
  renewSoon(): void {
    if (this.#state === "live") this.#after(this.#shared.surroundings.random() * spreadMs);
  }

  publish(text: string): void {
    const { channels } = this.#opened ?? {};
    if (this.#opened && this.#link && channels?.awareness) {
      this.#link.publish(this.#awareName ?? channels.awareness.now, this.#opened, text);
    }
  }

  end(): void {
    this.#unwatch();
    if (this.#opened) this.#leave();
    this.#pause("paused");
  }

  #leave(): void {
    if (this.#place.documentId === undefined) return;
    // A page that ends cannot wait, nor try again.
    this.#shared.calls.liveClose(this.#place, { keepalive: true }).catch(() => undefined);
  }

  #status(state: LiveState, error?: unknown): void {
    this.#state = state;
    this.#heard.status(state, error);
  }

  async #attempt(): Promise<void> {
    const run = ++this.#run;
    const { surroundings, calls, links } = this.#shared;
    // An attempt that was given up can have left its connection.
    const isJoin = !this.#link || this.#isJoining;
    const sentAt = surroundings.now();
    this.#cancel();
    let opened: Opened | undefined;
    try {
      opened = (await calls.liveOpen(this.#place)) as Opened;
      // The page has ended, or is hidden, and the call has renewed the presence.
      if (run !== this.#run && this.#state === "paused") return this.#leave();
      if (run !== this.#run) return;
      this.#opened = opened;
      this.#isJoining = isJoin;
      this.#link ??= links.join(opened, this.#lost);
      await this.#subscribe(this.#link, opened);
      if (run !== this.#run) return;
      this.#isJoining = false;
      if (isJoin) this.#liveAt = surroundings.now();
      this.#heard.opened(opened, sentAt, isJoin);
      this.#status("live");
      this.#after(opened.renewSeconds * 1_000);
    } catch (error) {
      if (run !== this.#run) return;
      const { status } = error as ApiError;
      if (status === "PERMISSION_DENIED" || status === "NOT_FOUND") return this.#pause("denied", error);
      // Without a connection, the page still shows what it can read.
      if (opened && isJoin) this.#heard.opened(opened, sentAt, true);
      this.#again(error, !isJoin && this.#link?.isOver === false);
    }
  }

  /** Both names of each channel. Those of the last reply stay: a publisher's clock can be slow. */
  async #subscribe(link: Link, opened: Opened): Promise<void> {
    const { document, awareness, user } = opened.channels;
    const { message, awareness: aware } = this.#heard;
    const wanted = document ? [document, awareness] : [user];
    const names = wanted.flatMap((each) => (each ? [each.now, each.next] : []));
    this.#awareName = awareness?.now;
    const hear = (name: string) => {
      if (name !== awareness?.now && name !== awareness?.next) return message;
      return (text: string) => {
        // The window has changed: a page that has come since does not listen to the former name.
        if (name === this.#opened?.channels.awareness?.next) this.#awareName = name;
        aware(text);
      };
    };
    await link.ready;
    await Promise.all(names.map((name) => link.subscribe(name, opened, hear(name))));
    const kept = [...new Set([...names, ...this.#names])];
    for (const name of this.#subscribed) if (!kept.includes(name)) link.unsubscribe(name);
    this.#names = names;
    this.#subscribed = kept;
  }

  /** After a failure. `keepsLink`: only a renewal has failed. */
  #again(error: unknown, keepsLink = false): void {
    const { surroundings } = this.#shared;
    if (!keepsLink) this.#drop();
    if (surroundings.now() - this.#liveAt >= goodMs) this.#failures = 0;
    this.#liveAt = Infinity;
    const limit = Math.min(longestMs, firstMs * 2 ** this.#failures++);
    const waitMs = shortestMs + surroundings.random() * (limit - shortestMs);
    this.#status("reconnecting", error);
    // The service names the same time to all.
    this.#after(waitMs + ((error as ApiError).retryAfterSeconds ?? 0) * 1_000);
  }

  #after(ms: number): void {
    this.#run++;
    this.#cancel();
    this.#cancel = this.#shared.surroundings.after(ms, () => void this.#attempt());
  }

  #drop(): void {
    const link = this.#link;
    if (link) this.#heard.leaving(!link.isOver);
    this.#link = undefined;
    this.#isJoining = false;
    for (const name of this.#subscribed) link?.unsubscribe(name);
    this.#names = this.#subscribed = [];
    link?.leave(this.#lost);
  }

  #pause(state: LiveState, error?: unknown): void {
    this.#run++;
    this.#cancel();
    this.#cancelHiding();
    this.#drop();
    this.#status(state, error);
  }

  #page(change: PageChange): void {
    this.#cancelHiding();
    const isStill = this.#state === "paused" || this.#state === "denied";
    if (change === "hidden" && !isStill) {
      this.#cancelHiding = this.#shared.surroundings.after(hiddenMs, () => this.#pause("paused"));
    } else if (change === "left") {
      if (this.#opened) this.#leave();
      if (!isStill) this.#pause("paused");
    } else if (change === "offline" && !isStill) {
      this.#again(new ApiError("UNAVAILABLE", "The browser is offline.", { httpStatus: 0 }));
    } else if ((change === "shown" && isStill) || (change === "online" && this.#state === "reconnecting")) {
      this.#failures = 0;
      this.#status("reconnecting");
      this.#after(change === "shown" ? 0 : shortestMs + this.#shared.surroundings.random() * firstMs);
    }
  }
}
