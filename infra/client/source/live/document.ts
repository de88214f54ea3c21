// A live document: its comments and reactions, who is there, and what the page writes.
import { Awareness, type Peer } from "./awareness.ts";
import { kept, listed, merged } from "./items.ts";
import type { LiveState, Opened, Place, Shared } from "./session.ts";
import { type Heard, LiveStore, type Status } from "./store.ts";
import { type Item, type Items, type Kind, nothingWritten, type Write, Writes, type Writing } from "./writes.ts";

/** `undefined`: not read yet. */
export interface ShownDocument {
  status: Status;
  /** The user's access. */
  role: string | undefined;
  /** The comment annotations, the oldest first. */
  comments: readonly Item[] | undefined;
  reactions: readonly Item[] | undefined;
  /** The users who are there. */
  presence: readonly Item[] | undefined;
  /** The other pages that are there, with what they share. */
  peers: readonly Peer[];
  writes: Writing;
}

const empty: ShownDocument = {
  ...{ status: { state: "connecting" }, role: undefined, writes: nothingWritten, peers: [] },
  ...{ comments: undefined, reactions: undefined, presence: undefined },
};

const pageSize = 100;
/** A user whose page has died leaves without a message. 1,000 pages that read 1,000 users make 20 calls a second. */
const [presenceMs, presenceMsOfUser] = [60_000, 500];
/** Each who comes or leaves makes all pages read all users, so they wait for more to come. */
const restMsOfUser = 50;

const idFields = { comments: "annotationId", reactions: "reactionId" } as const;

export class LiveDocument extends LiveStore<ShownDocument> {
  readonly #items: Record<Kind, Items | undefined> = { comments: undefined, reactions: undefined };
  readonly #writes: Writes;
  readonly #awareness: Awareness;
  #cancelPresence: () => void = () => undefined;

  constructor(place: Required<Place>, shared: Shared) {
    super(place, shared, empty);
    this.#writes = new Writes(shared.surroundings, {
      changed: (kind, writes) => {
        this.show({ writes });
        this.#show(kind);
      },
      stored: (topic, id) => this.dispatch({ type: "changed", topic, ids: [id] }),
    });
    this.#awareness = new Awareness(shared.surroundings, {
      publish: (text) => this.session?.publish(text),
      changed: (peers) => this.show({ peers }),
    });
    this.readers.comments = (ids) => this.#readItems("comments", ids);
    this.readers.reactions = (ids) => this.#readItems("reactions", ids);
    this.readers.presence = () => this.#readPresence();
  }

  /** Shares a field of this page's state with the other pages, such as a cursor. Up to 4 KB together; null: none. */
  share(name: string, value: unknown): void {
    this.#awareness.share(name, value);
  }

  /** Adds a thread with its first comment, at a location. */
  addThread(location: Item, { comment, annotationId = newId(), ...fields }: Item): Added {
    const commentId: string = comment.commentId ?? newId();
    const thread = { ...fields, annotationId, comments: [{ ...comment, commentId }] };
    const shown = {
      ...this.#own(thread),
      ...this.place,
      location,
      comments: thread.comments.map((each) => this.#own(each)),
    };
    const data = { ...this.place, location, comments: [thread] };
    const done = this.#write("comments", annotationId, "documentsDataAdd", data, () => shown);
    return { annotationId, commentId, done };
  }

  /** Changes the status, priority or assignment of a thread, or the metadata of an own one; null clears a field. */
  updateThread(annotationId: string, update: Item): Promise<void> {
    const data = { ...this.place, annotationIds: [annotationId], update };
    return this.#write("comments", annotationId, "commentannotationsUpdate", data, (old) => old && merged(old, update));
  }

  deleteThread(annotationId: string): Promise<void> {
    return this.#delete("comments", annotationId);
  }

  addComment(annotationId: string, comment: Item): Added {
    const commentId: string = comment.commentId ?? newId();
    const added = { ...comment, commentId };
    const data = { ...this.place, annotationId, comments: [added] };
    // A read can show it before the call has ended.
    const done = this.#writeComments(annotationId, "commentsAdd", data, (all) =>
      all.some((each) => each.commentId === commentId) ? all : [...all, this.#own(added)],
    );
    return { annotationId, commentId, done };
  }

  editComment(annotationId: string, commentId: string, update: Item): Promise<void> {
    const data = { ...this.place, annotationId, commentId, ...update };
    return this.#writeComments(annotationId, "commentsUpdate", data, (all) =>
      all.map((each) => (each.commentId === commentId ? merged(each, update) : each)),
    );
  }

  deleteComment(annotationId: string, commentId: string): Promise<void> {
    const data = { ...this.place, annotationId, commentIds: [commentId] };
    return this.#writeComments(annotationId, "commentsDelete", data, (all) =>
      all.filter((each) => each.commentId !== commentId),
    );
  }

  addReaction(location: Item, { reactionId = newId(), ...fields }: Item): { reactionId: string; done: Promise<void> } {
    const reaction = { ...fields, reactionId };
    const shown = { ...this.#own(reaction), ...this.place, location };
    const data = { ...this.place, location, reactions: [reaction] };
    return { reactionId, done: this.#write("reactions", reactionId, "documentsDataAdd", data, () => shown) };
  }

  deleteReaction(reactionId: string): Promise<void> {
    return this.#delete("reactions", reactionId);
  }

  protected override opened(reply: Opened, sentAt: number, isJoin: boolean): void {
    super.opened(reply, sentAt, isJoin);
    this.show({ role: reply.role });
    this.#writes.retry();
    // After 30 s of lost messages, two pages take each other for gone. Without this, both would stay silent.
    if (isJoin || this.shown.peers.length === 0) this.#awareness.join();
  }

  protected override awareness(message: unknown): void {
    this.#awareness.hear(message);
  }

  protected override leaving(canTell: boolean): void {
    this.#awareness.leave(canTell);
  }

  protected override listened(heard: Heard<ShownDocument>): void {
    if (typeof heard === "function" || heard.peers) this.#awareness.use();
  }

  protected override status(state: LiveState, error?: unknown): void {
    if (state === "paused" || state === "denied") this.#cancelPresence();
    super.status(state, error);
  }

  protected override forget(): void {
    this.#items.comments = this.#items.reactions = undefined;
    this.#writes.forget();
  }

  /** As the service will show it. */
  #own(item: Item): Item {
    const name = this.shared.name?.();
    return {
      ...item,
      from: { userId: this.shared.user(), ...(name !== undefined && { name }) },
      createdAt: new Date(this.shared.surroundings.wall()).toISOString(),
    };
  }

  #delete(kind: Kind, id: string): Promise<void> {
    return this.#write(kind, id, "documentsDataDelete", { ...this.place, kind, ids: [id] }, () => undefined);
  }

  #writeComments(id: string, name: string, data: Item, change: (comments: Item[]) => Item[]): Promise<void> {
    return this.#write("comments", id, name, data, (old) => old && { ...old, comments: change(old.comments ?? []) });
  }

  /** `change`: the item after the write; undefined: none. */
  #write(
    kind: Kind,
    id: string,
    name: string,
    data: Item,
    change: (old: Item | undefined) => Item | undefined,
  ): Promise<void> {
    const write: Write = {
      ...{ kind, id, send: (options) => this.shared.calls[name](data, options) },
      change(items) {
        const item = change(items.get(id));
        if (item) items.set(id, item);
        else items.delete(id);
      },
    };
    return this.#writes.add(write);
  }

  async #readItems(kind: Kind, ids: readonly string[] | "all"): Promise<() => void> {
    const found = new Map<string, Item>();
    const ended = this.#writes.reading();
    const which = ids === "all" ? { pageSize } : { ids };
    const query = { ...this.place, kind, order: "oldest", ...which };
    for await (const item of this.shared.calls.documentsDataGet.entries(query)) found.set(item[idFields[kind]], item);
    return () => {
      const old: Items = this.#items[kind] ?? new Map();
      const items = new Map(ids === "all" ? [] : old);
      if (ids !== "all") for (const id of ids) if (!found.has(id)) items.delete(id);
      for (const [id, item] of found) items.set(id, kept(old.get(id), item));
      this.#items[kind] = items;
      ended(kind, ids);
      this.#show(kind);
    };
  }

  async #readPresence(): Promise<() => number> {
    const users: Item[] = [];
    for await (const { users: some } of this.shared.calls.presenceGet.pages({ ...this.place, pageSize }))
      users.push(...some);
    return () => {
      const { surroundings, user } = this.shared;
      const isThere = (among: readonly Item[] = []) => among.some(({ userId }) => userId === user());
      // Another page of the user has closed.
      if (isThere(this.shown.presence) && !isThere(users)) this.session?.renewSoon();
      this.show({ presence: listed(this.shown.presence, users) });
      this.#cancelPresence();
      const again = () => this.dispatch({ type: "changed", topic: "presence", ids: "all" });
      const againMs = Math.max(presenceMs, users.length * presenceMsOfUser);
      if (users.length > 1) this.#cancelPresence = surroundings.after(againMs, again);
      return users.length * restMsOfUser;
    };
  }

  #show(kind: Kind): void {
    const items = this.#items[kind];
    if (items) this.show({ [kind]: listed(this.shown[kind], [...this.#writes.over(kind, items).values()]) });
  }
}

export interface Added {
  annotationId: string;
  commentId: string;
  /** Rejects when the write is rolled back. */
  done: Promise<void>;
}

const newId = () => crypto.randomUUID();
