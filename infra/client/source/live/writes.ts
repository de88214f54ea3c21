// Writes of a page, shown before they are stored. They are sent one after another, each with one idempotency key over all
// attempts. One that fails for good is no longer shown, and says why.
import { ApiError } from "../api-error.ts";
import type { CallOptions } from "../options.ts";
import type { Surroundings } from "./surroundings.ts";

// biome-ignore lint/suspicious/noExplicitAny: an item of the service
export type Item = Record<string, any>;
export type Items = ReadonlyMap<string, Item>;
export type Kind = "comments" | "reactions";

export interface Write {
  kind: Kind;
  /** The item that it changes. */
  id: string;
  /** Makes the change in what is shown. */
  change: (items: Map<string, Item>) => void;
  send: (options: CallOptions) => Promise<unknown>;
}

/** What the page has not stored yet, and the last write that failed. */
export interface Writing {
  pending: readonly string[];
  failed?: { kind: Kind; id: string; error: unknown };
}

export const nothingWritten: Writing = { pending: [] };

interface Queued extends Write {
  isStored: boolean;
  key: string;
  ended: (error?: unknown) => void;
}

interface Hooks {
  /** Show anew. */
  changed: (kind: Kind, writing: Writing) => void;
  /** Read the item. */
  stored: (kind: Kind, id: string) => void;
}

const [shortestMs, longestMs] = [250, 30_000];

export class Writes {
  readonly #surroundings: Surroundings;
  readonly #hooks: Hooks;
  #queue: Queued[] = [];
  #failed: Writing["failed"];
  #isSending = false;
  #wake: () => void = () => undefined;

  constructor(surroundings: Surroundings, hooks: Hooks) {
    this.#surroundings = surroundings;
    this.#hooks = hooks;
  }

  /** Resolves when it is stored. Rejects when it is rolled back. */
  add(write: Write): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      const ended = (error?: unknown) => (error === undefined ? resolve() : reject(error));
      this.#queue.push({ ...write, isStored: false, key: crypto.randomUUID(), ended });
    });
    // The state says it too.
    done.catch(() => undefined);
    this.#show(write.kind);
    void this.#send();
    return done;
  }

  /** The items as they are when all is stored. */
  over(kind: Kind, items: Items): Items {
    const ours = this.#queue.filter((each) => each.kind === kind);
    if (ours.length === 0) return items;
    const shown = new Map(items);
    for (const { change } of ours) change(shown);
    return shown;
  }

  /** Call it before a read of items, and what it returns after that: it ends what the read has shown. */
  reading(): (kind: Kind, ids: readonly string[] | "all") => void {
    const stored = this.#queue.filter(({ isStored }) => isStored);
    return (kind, ids) => {
      const isRead = (each: Queued) => each.kind === kind && (ids === "all" || ids.includes(each.id));
      this.#queue = this.#queue.filter((each) => !stored.includes(each) || !isRead(each));
    };
  }

  /** The service can be reached again. */
  retry(): void {
    this.#wake();
  }

  /** What is stored needs no place any more. */
  forget(): void {
    this.#queue = this.#queue.filter(({ isStored }) => !isStored);
  }

  #show(kind: Kind): void {
    const pending = this.#queue.filter(({ isStored }) => !isStored).map(({ id }) => id);
    this.#hooks.changed(kind, { pending, ...(this.#failed && { failed: this.#failed }) });
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    let failures = 0;
    for (let write = this.#next(); write; write = this.#next()) {
      const { kind, id, key, send, ended } = write;
      try {
        refuseFailed(await send({ idempotencyKey: key }));
        failures = 0;
        write.isStored = true;
        this.#hooks.stored(kind, id);
        this.#show(kind);
        ended();
      } catch (error) {
        if (canSucceed(error)) {
          await new Promise<void>((resolve) => {
            this.#wake = waitAfter(error, failures++, this.#surroundings, resolve);
          });
          continue;
        }
        this.#queue = this.#queue.filter((each) => each !== write);
        this.#failed = { kind, id, error };
        this.#show(kind);
        ended(error);
      }
    }
    this.#isSending = false;
  }

  #next = () => this.#queue.find(({ isStored }) => !isStored);
}

/** Calls back after a random wait, which grows with each failure. Returns what ends the wait. */
export function waitAfter(
  { retryAfterSeconds = 0 }: ApiError,
  failures: number,
  { random, after }: Surroundings,
  work: () => void,
): () => void {
  const limit = Math.min(longestMs, shortestMs * 2 ** (failures + 1));
  const waitMs = shortestMs + random() * (limit - shortestMs);
  const cancel = after(waitMs + retryAfterSeconds * 1_000, work);
  return () => {
    cancel();
    work();
  };
}

/** Whether the same call can succeed later: without a reply, without a token, or when the service says so. */
export function canSucceed(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { status, httpStatus, retryAfterSeconds } = error;
  const isPassing = status === "UNAVAILABLE" || status === "DEADLINE_EXCEEDED" || retryAfterSeconds !== undefined;
  return isPassing || (status === "UNAUTHENTICATED" && httpStatus === 0);
}

/** Throws for the first item of a reply that failed. */
function refuseFailed(reply: unknown): void {
  for (const each of Object.values(Object(reply)) as Item[]) {
    if (each?.success === false) {
      const status = String(each.code).toUpperCase().replaceAll("-", "_");
      throw new ApiError(status, String(each.message), { httpStatus: 200, details: each });
    }
    if (typeof each === "object") refuseFailed(each);
  }
}
