// Objects whose fields are the client's own. They are kept as given; only their size and depth are limited.
import { Text } from "./primitives.ts";

/** DynamoDB nests 32 levels; eight of them are left for the attributes around the object. */
const levelsMax = 24;
/** DynamoDB takes magnitudes from 1e-130 to 1e126. */
const [magnitudeMin, magnitudeMax] = [1e-125, 1e125];

/** Whether a text at any depth is over 64 KB. */
export function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return !Text.safeParse(value).success;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongText);
}

/** Why the table cannot hold a value as an attribute; undefined: it can. What is stored as JSON needs no check. */
export function storageProblemOf(value: unknown, level = 0): string | undefined {
  if (typeof value === "number") {
    const magnitude = Math.abs(value);
    const fits = magnitude === 0 || (magnitude < magnitudeMax && magnitude > magnitudeMin);
    return fits ? undefined : "A number in it is too large or too small.";
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (level === levelsMax) return `Is nested more than ${levelsMax} levels deep.`;
  for (const entry of Object.values(value)) {
    const problem = storageProblemOf(entry, level + 1);
    if (problem) return problem;
  }
  return undefined;
}
