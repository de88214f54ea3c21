// The long trial runs the exact tests too, with more cases, from a seed of its own.

/** The seed of the long trial. Undefined: the exact tests run. */
export const longSeed = process.env.LONG_SEED || undefined;
export const isLong = longSeed !== undefined;

/**
 * For tests that inject a fault at one call after another. In the exact tests, each fault is at every third call. In the
 * long trial, each is at every call.
 */
export const callsStep = isLong ? 1 : 3;

/** The same for scenes of hundreds of calls, most of which smaller scenes make too. */
export const largeStep = isLong ? 1 : 9;

/** A number from the seed of the long trial; without it, `exact`. */
export function seedFrom(exact: number): number {
  return longSeed === undefined ? exact : Number.parseInt(longSeed, 36) % 2 ** 31;
}

/** How many cases of a costly property are checked: in the long trial, 20 times as many as in the exact tests. */
export function casesOf(exact: number) {
  return { numRuns: isLong ? 20 * exact : exact };
}
