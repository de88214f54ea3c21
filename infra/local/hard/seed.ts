// The seed of the hard engine, chosen by a person or at random.
import { randomInt } from "node:crypto";
import { StartError } from "../start-error.ts";

/** Nine digits: short enough to type. */
const seedMax = 999_999_999;

export function randomSeed(): string {
  return String(randomInt(1, seedMax + 1));
}

/** `name` tells in the error where the seed was set. */
export function parseSeed(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StartError(`${name} must be a whole number from 0 to ${seedMax}, not ${text}.`);
}
