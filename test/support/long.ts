// The long trial runs the exact tests too, with more cases, from a seed of its own.

/** The seed of the long trial. Undefined: the exact tests run. */
export const longSeed = process.env.LONG_SEED || undefined;
export const isLong = longSeed !== undefined;

/** A number from the seed of the long trial; without it, `exact`. */
export function seedFrom(exact: number): number {
  return longSeed === undefined ? exact : Number.parseInt(longSeed, 36) % 2 ** 31;
}
