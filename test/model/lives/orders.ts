// The orders in which calls at once can have taken effect.
import { isDeepStrictEqual } from "node:util";
import type { State } from "./state.ts";
import { expected, isLateable, type Step } from "./steps.ts";

/**
 * What a call can return that sees the organization at its first read, and its deletion at a later one. What it changed
 * is deleted too.
 */
const refusals = new Set<unknown>(["being-deleted", "not-found", "folder-not-found", "document-not-found", "ABORTED"]);

/** The states after these steps in every order that gives their results. Each is returned once. */
export function orders(state: State, steps: readonly Step[], results: readonly unknown[]): State[] {
  const found: State[] = [];
  go(state, new Set(steps.keys()));
  return found;

  function go(current: State, left: ReadonlySet<number>): void {
    if (left.size === 0) {
      if (!found.some((each) => isDeepStrictEqual(each, current))) found.push(current);
      return;
    }
    for (const index of left) {
      const step = steps[index] as Step;
      for (const isLate of isLateable(step) ? [false, true] : [false]) {
        const next = structuredClone(current);
        const result = expected(next, step, isLate);
        const isLost = current.organization?.going && refusals.has(results[index]);
        if (!isLost && !isDeepStrictEqual(result, results[index])) continue;
        go(next, new Set([...left].filter((each) => each !== index)));
      }
    }
  }
}
