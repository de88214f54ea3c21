// Ids for one life of an organization: plain ones, which all clients share, and unusual ones.
import { anyId } from "../support/any-id.ts";
import fc from "../support/property.ts";
import type { Random } from "../support/random.ts";

const isId = (id: string) => !/\p{Cc}/u.test(id) && id.isWellFormed() && [...id].length <= 256;

let pool: readonly string[] = [];

/** Makes the unusual ids of a run. */
export function prepareIds(seed: number): void {
  pool = [...new Set(fc.sample(anyId, { seed, numRuns: 400 }))].filter(isId);
}

/** `count` distinct ids. The first is plain: every workspace has it. */
export function idsFor(random: Random, name: string, count: number): string[] {
  const ids = new Set([name]);
  while (ids.size < count) ids.add(random.chance(0.5) ? random.from(pool) : `${name}-${ids.size}`);
  return [...ids];
}

export const anyOf = (random: Random): string => random.from(pool);
