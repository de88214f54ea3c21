// The provider of an editor's content for Yjs: with the events of y-websocket's and Hocuspocus's providers.
import { ObservableV2 } from "lib0/observable";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import type { ApiError } from "./api-error.ts";
import type { LiveDocument } from "./live/document.ts";
import type { Following } from "./live/store.ts";
import { canSucceed } from "./live/writes.ts";
import { bytesOf, missing, stored } from "./yjs-calls.ts";
import { Cursors, saidBy } from "./yjs-cursors.ts";
import { Outbox } from "./yjs-outbox.ts";
import {
  type CollaborationEvents,
  type CollaborationOptions,
  type CollaborationStatus,
  noSubdocs,
} from "./yjs-types.ts";

export type { CollaborationEvents, CollaborationOptions, CollaborationStatus } from "./yjs-types.ts";

const viewer = "viewer";

export class CollaborationProvider extends ObservableV2<CollaborationEvents> {
  readonly doc: Y.Doc;
  /** As Hocuspocus's provider names it. */
  readonly document: Y.Doc;
  readonly awareness: Awareness | null;
  /** Names one life of the content. Undefined: not loaded yet, or nothing is stored. */
  generation: string | undefined;
  status: CollaborationStatus = "disconnected";
  synced = false;
  /** readonly: the user only views the document, and changes of the editor are not sent. Undefined: not known yet. */
  authorizedScope: "read-write" | "readonly" | undefined;
  readonly #options: CollaborationOptions;
  readonly #slot: string;
  readonly #hadContent: boolean;
  readonly #cursors: Cursors | undefined;
  readonly #outbox = new Outbox({
    surroundings: () => (this.#canSend ? this.#following?.surroundings : undefined),
    store: (update, options) => this.#store(update, options),
    failed: (error) => this.#failed(error),
    counted: (number) => this.emit("unsyncedChanges", [{ number }]),
  });
  readonly #live: LiveDocument;
  #following: Following | undefined;
  #isLoaded = false;
  #isLoading = false;
  /** `replaced`, `refused` or `destroy` was emitted. */
  #isOver = false;
  #isRefused = false;

  constructor(options: CollaborationOptions) {
    super();
    const { doc, awareness, client, organizationId, documentId, editorId } = options;
    if (doc.getSubdocs().size > 0) throw new TypeError(noSubdocs);
    this.#options = options;
    this.doc = this.document = doc;
    this.awareness = awareness === undefined ? new Awareness(doc) : awareness;
    this.generation = options.generation;
    this.#slot = `yjs/${editorId}`;
    this.#cursors = this.awareness ? new Cursors(this.awareness, this.#slot, this) : undefined;
    this.#hadContent = Y.encodeStateVector(doc).length > 1;
    this.#live = client.document({ organizationId, documentId }) as LiveDocument;
    doc.on("update", this.#updated);
    doc.on("subdocs", this.#subdocs);
    doc.on("destroy", this.#docDestroyed);
    this.awareness?.on("update", this.#shared);
    if (options.connect !== false) this.connect();
  }

  get isReadOnly(): boolean {
    return this.authorizedScope === "readonly";
  }

  get hasUnsyncedChanges(): boolean {
    return this.#outbox.size > 0;
  }

  connect(): void {
    if (this.#following || this.#isOver) return;
    this.#isRefused = false;
    this.#setStatus("connecting");
    const [topic, shown] = [`crdt/${this.#options.editorId}`, this.#live.getSnapshot()];
    this.#following = this.#live.follow(topic, () => this.#load(), {
      status: ({ state, error }) => this.#shown(state, error),
      role: (role) => this.#allow(role),
      // A page that listens for others tells them that it is there.
      peers: this.#cursors && ((peers) => this.#cursors?.hear(peers)),
    });
    this.#shown(shown.status.state, shown.status.error);
    this.#allow(shown.role);
    this.#cursors?.hear(shown.peers);
    this.#share();
  }

  disconnect(): void {
    if (!this.#following) return;
    this.#outbox.flush();
    if (this.awareness) this.#live.share(this.#slot, null);
    this.#following.stop();
    this.#following = undefined;
    this.#outbox.wake();
    this.#lost(undefined);
    this.#setStatus("disconnected");
  }

  override destroy(): void {
    if (!this.#isOver) this.emit("destroy", []);
    this.disconnect();
    this.#isOver = true;
    this.doc.off("update", this.#updated);
    this.doc.off("subdocs", this.#subdocs);
    this.doc.off("destroy", this.#docDestroyed);
    this.awareness?.off("update", this.#shared);
    if (this.#options.awareness === undefined) this.awareness?.destroy();
    super.destroy();
  }

  readonly #docDestroyed = () => this.destroy();
  readonly #updated = (update: Uint8Array, origin: unknown) => {
    if (origin !== this && !this.#isOver) this.#outbox.add(update);
  };

  readonly #subdocs = ({ added }: { added: Set<Y.Doc> }) => {
    if (added.size > 0) this.#refuse(new TypeError(noSubdocs));
  };

  readonly #shared = ({ added, updated, removed }: Record<"added" | "updated" | "removed", number[]>) => {
    if ([...added, ...updated, ...removed].includes(this.awareness?.clientID as number)) this.#share();
  };

  #setStatus(status: CollaborationStatus): void {
    if (status === this.status) return;
    this.status = status;
    this.emit("status", [{ status }]);
    if (status === "connected") this.emit("connect", []);
  }

  #setSynced(isSynced: boolean): void {
    if (isSynced === this.synced) return;
    this.synced = isSynced;
    this.emit("sync", [isSynced]);
    if (isSynced) this.emit("synced", [{ state: true }]);
  }

  #shown(state: string, error: unknown): void {
    if (state === "live") return void this.#connected();
    if (state === "paused") this.#outbox.flush();
    if (state === "denied") this.emit("authenticationFailed", [{ reason: String((error as Error).message) }]);
    if (error !== undefined) this.emit("connection-error", [error, this]);
    this.#lost(error);
    this.#setStatus(state === "paused" || state === "denied" ? "disconnected" : "connecting");
  }

  #connected(): void {
    this.#outbox.wake();
    this.#setStatus("connected");
    // After a renewal that failed, nothing else reads.
    if (this.#isLoaded && !this.synced && !this.#isLoading) this.#following?.again();
  }

  #lost(error: unknown): void {
    if (this.status === "connected") {
      this.#setStatus("disconnected");
      this.emit("connection-close", [error, this]);
      this.emit("disconnect", [{ error }]);
    }
    this.#setSynced(false);
    this.#cursors?.hear([]);
  }

  #allow(role: string | undefined): void {
    const scope = role === viewer ? "readonly" : "read-write";
    if (role === undefined || scope === this.authorizedScope) return;
    this.authorizedScope = scope;
    this.emit("authenticated", [{ scope }]);
    this.#outbox.schedule();
  }

  #refuse(error: Error): void {
    this.#isRefused = true;
    this.emit("refused", [{ error }]);
  }

  #replace(isDeleted: boolean): void {
    this.#isOver = true;
    this.#outbox.clear();
    this.disconnect();
    this.emit("replaced", [{ isDeleted }]);
  }

  async #load(): Promise<() => void> {
    this.#isLoading = true;
    const reply = await missing(this.#options, this.doc).finally(() => {
      this.#isLoading = false;
    });
    return () => {
      this.#allow(this.#live.getSnapshot().role);
      if (this.generation !== undefined && this.generation !== reply?.generation) return this.#replace(!reply);
      if (reply) {
        this.generation = reply.generation;
        Y.applyUpdate(this.doc, bytesOf(reply.update), this);
      }
      // What the document had before, such as from an offline store.
      if (!this.#isLoaded && this.#hadContent) {
        const vector = reply?.stateVector === undefined ? undefined : bytesOf(reply.stateVector);
        this.#outbox.add(Y.encodeStateAsUpdate(this.doc, vector));
      }
      this.#isLoaded = true;
      this.#setSynced(true);
      this.#outbox.schedule();
    };
  }

  get #canSend(): boolean {
    return this.#isLoaded && !this.isReadOnly && !this.#isRefused && this.#following !== undefined;
  }

  #store(update: Uint8Array, options: object): () => Promise<void> {
    const { generation } = this;
    return async () => {
      this.generation = await stored(this.#options, generation, update, options);
    };
  }

  async #failed(error: ApiError): Promise<ApiError | undefined> {
    const { status } = error;
    // The next read says whether it stays so.
    if (status === "PERMISSION_DENIED") this.#allow(viewer);
    else if (this.generation !== undefined && (status === "NOT_FOUND" || status === "FAILED_PRECONDITION")) {
      const now = await missing(this.#options, this.doc).catch((thrown) => thrown as ApiError);
      if (canSucceed(now)) return now;
      if (now instanceof Error || now?.generation === this.generation) this.#refuse(error);
      else if (!this.#isOver) this.#replace(!now);
    } else this.#refuse(error);
  }

  #share(): void {
    if (!this.awareness || !this.#following) return;
    try {
      this.#live.share(this.#slot, saidBy(this.awareness));
    } catch (error) {
      // Too much for the others: the editor itself goes on.
      this.emit("connection-error", [error, this]);
    }
  }
}
