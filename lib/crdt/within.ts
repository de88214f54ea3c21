// Ends work that cannot wait: Yjs integrates an update in one piece, and a hostile update can take hours. No deadline of
// a call ends such work.
import { runInNewContext } from "node:vm";
import { config } from "../config.ts";

/** How long Yjs may take to integrate an editor's content. */
const limitMs = 8_000;

/** Returns what `work` returns. Throws what it throws, and an `Error` that `isTooSlow` knows when the time is over. */
export function within<T>(work: () => T): T {
  return runInNewContext("work()", { work }, { timeout: Math.ceil(limitMs * config.slowness()) });
}

export const isTooSlow = (thrown: unknown): boolean =>
  (thrown as { code?: string } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
