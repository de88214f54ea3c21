// A page of a user in simulated time: the real client of browsers, over calls and sockets in memory that can fail.
import { expect } from "vitest";
import * as Y from "yjs";
import { makeBrowserClient } from "../../../infra/client/source/browser-client.ts";
import type { PageChange, Surroundings } from "../../../infra/client/source/live/surroundings.ts";
import type { LiveDocument, LiveInbox } from "../../../infra/client/source/live/types.ts";
import type { Item } from "../../../infra/client/source/live/writes.ts";
import { CollaborationProvider } from "../../../infra/client/source/yjs.ts";
import { Connection, headersFrom } from "../../../infra/local/live/connection.ts";
import { stir, wait } from "./time.ts";
import { place, type User } from "./user.ts";
import type { World } from "./world.ts";

/** As the generated package has it. */
const table = [
  "liveOpen;liveClose;permissionsGet auth/;presenceGet   users;crdtGet;crdtUpdate  w",
  "documentsDataGet organizations/  items;documentsDataAdd organizations/ w;documentsDataDelete organizations/ w",
  "commentsAdd commentannotations/ w;commentsUpdate commentannotations/ w;commentsDelete commentannotations/ w",
  "commentannotationsUpdate  w;notificationsGet   notifications;notificationsRead  w;notificationsDelete  w",
].join(";");

/** A word of the editor. */
export const wordForm = /‹\d+›/g;

// biome-ignore lint/suspicious/noExplicitAny: the types of the package are generated
type AnyClient = any;

let pages = 0;

export class Page {
  readonly user: User;
  readonly client: AnyClient;
  readonly document: LiveDocument<AnyClient>;
  readonly inbox: LiveInbox<AnyClient>;
  readonly sockets = new Set<PageSocket>();
  provider!: CollaborationProvider;
  text!: Y.Text;
  undo!: Y.UndoManager;
  readonly id: number = pages++;
  isOffline = false;
  isHidden = false;
  isDead = false;
  /** Words of its editor that are not sure to be stored. */
  readonly words = new Set<string>();
  readonly #world: World;
  readonly #watchers = new Set<(change: PageChange) => void>();
  #asleepAt: number | undefined;
  #sleptMs = 0;
  #waiting: (() => void)[] = [];
  #ends: (() => void)[] = [];

  constructor(world: World, user: User) {
    this.#world = world;
    this.user = user;
    const { random } = world;
    const surroundings: Surroundings = {
      now: () => (this.#asleepAt ?? performance.now()) - this.#sleptMs,
      wall: () => Date.now(),
      random: () => random.next(),
      after: (ms, work) => {
        let isCancelled = false;
        const timer = setTimeout(() => this.awake(() => isCancelled || work()), Math.max(0, ms));
        return () => {
          isCancelled = true;
          clearTimeout(timer);
        };
      },
      connect: (_, protocols) => new PageSocket(world, this, protocols) as unknown as WebSocket,
      watch: (heard) => {
        this.#watchers.add(heard);
        return () => void this.#watchers.delete(heard);
      },
    };
    const options = { url: "https://api.example.com", getToken: () => user.token(), onIgnoredFields: expect.fail };
    this.client = makeBrowserClient(table, { ...options, fetch: (each) => world.fetch(this, each) }, surroundings);
    this.document = this.client.document(place);
    this.inbox = this.client.inbox({ organizationId: place.organizationId });
    this.look();
    this.#edit(world, user);
  }

  get isAsleep(): boolean {
    return this.#asleepAt !== undefined;
  }

  get isLooking(): boolean {
    return this.#ends.length > 0;
  }

  /** Its user can work: the page neither is dead nor sleeps. */
  get isUsable(): boolean {
    return !this.isDead && !this.isAsleep;
  }

  /** What a user of the page sees. */
  get comments(): readonly Item[] {
    return (this.document.getSnapshot().comments ?? []) as Item[];
  }

  look(): void {
    this.#ends = [this.document, this.inbox].map((live) => live.subscribe(() => undefined));
  }

  lookAway(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  /** Begins with an empty editor: at first, and when the content was replaced. */
  #edit(world: World, user: User): void {
    this.provider = new CollaborationProvider({
      client: this.client,
      ...place,
      editorId: "body",
      doc: new Y.Doc(),
      type: "text",
    });
    this.text = this.provider.doc.getText("content");
    this.undo = new Y.UndoManager(this.text, { captureTimeout: 0, trackedOrigins: new Set([null]) });
    this.provider.awareness?.setLocalState({ cursor: 0 });
    this.provider.on("replaced", () => {
      this.#world.note("replaced", this);
      this.#world.words.forgive(this);
      this.provider.destroy();
      this.#edit(world, user);
    });
    this.provider.on("refused", ({ error }) => {
      this.#world.note(`refused ${error.message}`, this);
      if (world.access.of(user) === "editor") world.broken.push(error);
    });
  }

  change(change: PageChange): void {
    if (change === "hidden" || change === "left") this.isHidden = true;
    if (change === "shown") this.isHidden = false;
    this.#world.note(change, this);
    stir();
    for (const heard of [...this.#watchers]) heard(change);
  }

  /** Works now, or when the page is awake. A dead page never does. */
  awake(work: () => void): void {
    if (this.isDead) return;
    stir();
    if (this.isAsleep) this.#waiting.push(work);
    else work();
  }

  sleep(): void {
    this.#asleepAt ??= performance.now();
  }

  wake(): void {
    if (this.#asleepAt === undefined) return;
    this.#sleptMs += performance.now() - this.#asleepAt;
    this.#asleepAt = undefined;
    for (const work of this.#waiting.splice(0)) this.awake(work);
  }

  /** It ends without a word. What it has sent goes on. */
  kill(): void {
    this.isDead = true;
    this.#world.note("killed", this);
    this.#world.words.forgive(this);
    for (const socket of [...this.sockets]) socket.cut();
    this.provider.destroy();
    this.undo.destroy();
  }

  close(): void {
    this.#world.note("closed", this);
    this.#world.words.forgive(this);
    this.provider.destroy();
    this.undo.destroy();
    this.lookAway();
    this.change("left");
  }
}

/** A WebSocket between a page and the engine. */
export class PageSocket {
  readyState = 0;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;
  readonly #page: Page;
  #connection: Connection | undefined;

  constructor(world: World, page: Page, protocols: string[]) {
    this.#page = page;
    page.sockets.add(this);
    void wait(world.latency()).then(() => {
      if (world.isDown || page.isOffline || page.isDead) return this.cut();
      if (this.readyState !== 0) return;
      const encoded = protocols.find((each) => each.startsWith("header-"))?.slice("header-".length) ?? "";
      const headers = headersFrom(JSON.parse(Buffer.from(encoded, "base64url").toString()));
      const end = () => this.cut();
      const socket = { send: (text: string) => this.#hear(world, text), close: end, terminate: end, bufferedAmount: 0 };
      this.readyState = 1;
      this.#connection = new Connection(socket, world.realtime, headers);
      page.awake(() => this.onopen?.());
    });
  }

  send(text: string): void {
    stir();
    void this.#connection?.receive(text);
  }

  close(): void {
    if (this.readyState < 2) this.readyState = 2;
    this.#leave();
    queueMicrotask(() => this.cut());
  }

  /** The connection ends. `isSilent`: the page does not notice. */
  cut(isSilent = false): void {
    this.#leave();
    if (isSilent || this.readyState === 3) return;
    this.readyState = 3;
    this.#page.awake(() => this.onclose?.());
  }

  #leave(): void {
    this.#connection?.ended();
    this.#connection = undefined;
    this.#page.sockets.delete(this);
  }

  #hear(world: World, text: string): void {
    world.access.heard(this.#page.user, text);
    this.#page.awake(() => this.readyState === 1 && this.onmessage?.({ data: text }));
  }
}
