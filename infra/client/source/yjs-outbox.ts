// The changes of an editor that are not stored yet. They are sent in batches, one after another, each with one idempotency
// key over all attempts.
import * as Y from "yjs";
import { ApiError } from "./api-error.ts";
import type { Surroundings } from "./live/surroundings.ts";
import { canSucceed, waitAfter } from "./live/writes.ts";

/** A change has at most 300 KB. A little is left for what joins several of them. */
const bytesMax = 290 * 1_024;
/** What a browser sends when a page ends has at most 64 KB. */
const keepaliveBytesMax = 40 * 1_024;
const batchMs = 100;
const tooLong = "One change of the document has more than 290 KB. Make it in several transactions.";

interface Hooks {
  /** Undefined: nothing can be sent now. */
  surroundings(): Surroundings | undefined;
  /** Returns what makes an attempt. All attempts are the same call, as their key demands. */
  store(update: Uint8Array, options: object): () => Promise<void>;
  /**
   * An attempt failed, and repeating alone does not help. If sending is still possible after it, the update is sent again.
   * Returns a failure that passes, such as of a read that was lost: then the update is sent again after a pause.
   */
  failed(error: ApiError): Promise<ApiError | undefined>;
  counted(number: number): void;
}

export class Outbox {
  readonly #hooks: Hooks;
  #updates: Uint8Array[] = [];
  #isSending = false;
  #cancelBatch: (() => void) | undefined;
  #wake: () => void = () => undefined;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  get size(): number {
    return this.#updates.length;
  }

  add(...updates: Uint8Array[]): void {
    this.#updates.push(...updates);
    this.#hooks.counted(this.size);
    this.schedule();
  }

  clear(): void {
    this.#updates = [];
    this.#hooks.counted(0);
  }

  /** The service can be reached again, or sending is over. */
  wake(): void {
    this.#wake();
  }

  schedule(): void {
    if (this.size === 0 || this.#cancelBatch || this.#isSending) return;
    this.#cancelBatch = this.#hooks.surroundings()?.after(batchMs, () => {
      this.#cancelBatch = undefined;
      void this.#send();
    });
  }

  /** Sends at once, because the page can end. */
  flush(): void {
    this.#cancelBatch?.();
    this.#cancelBatch = undefined;
    void this.#send(true);
  }

  async #send(isLast = false): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.size > 0 && this.#hooks.surroundings()) {
      const count = fitting(this.#updates);
      const update = Y.mergeUpdates(this.#updates.slice(0, count));
      const keepalive = isLast && update.length <= keepaliveBytesMax;
      if (update.length > bytesMax)
        await this.#hooks.failed(new ApiError("INVALID_ARGUMENT", tooLong, { httpStatus: 0 }));
      else if (await this.#isSent(this.#hooks.store(update, { idempotencyKey: crypto.randomUUID(), keepalive }))) {
        this.#updates.splice(0, count);
        this.#hooks.counted(this.size);
      }
    }
    this.#isSending = false;
  }

  async #isSent(attempt: () => Promise<void>): Promise<boolean> {
    let failures = 0;
    for (let now = this.#hooks.surroundings(); now; now = this.#hooks.surroundings()) {
      try {
        await attempt();
        return true;
      } catch (thrown) {
        const error = canSucceed(thrown) ? thrown : await this.#hooks.failed(thrown as ApiError);
        if (error)
          await new Promise<void>((resolve) => {
            this.#wake = waitAfter(error, failures++, now as Surroundings, resolve);
          });
      }
    }
    return false;
  }
}

/** How many of the updates fit together, at least one. */
function fitting(updates: readonly Uint8Array[]): number {
  let [count, bytes] = [0, 0];
  for (const { length } of updates) {
    bytes += length;
    if (count > 0 && bytes > bytesMax) break;
    count++;
  }
  return count;
}
