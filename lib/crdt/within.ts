// Ends work that cannot wait: Yjs integrates an update in one piece, and a hostile update can take hours. No deadline of
// a call ends such work.
import { runInNewContext } from "node:vm";
import { config } from "../config.ts";

/**
 * How long Yjs may take for an editor's content. The slowest known content of 3.5 MB, typed by two clients in turn, takes
 * 1.1 s with one processor, and the slowest data of crdt/add 1.8 s.
 */
const limitMs = 4_000;

/** Returns what `work` returns. Throws what it throws, and an `Error` that `isTooSlow` knows when the time is over. */
export function within<T>(work: () => T): T {
  return runInNewContext("work()", { work }, { timeout: Math.ceil(limitMs * config.slowness()) });
}

export const isTooSlow = (thrown: unknown): boolean =>
  (thrown as { code?: string } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
