// Checks of objects with any fields. They are stored as given, with limits on texts, depth and numbers.
import { Text } from "./primitives.ts";

/** DynamoDB allows 32 levels. Eight of them are reserved for the attributes around the object. */
const levelsMax = 24;
/** DynamoDB takes magnitudes from 1e-130 to 1e126. */
const [magnitudeMin, magnitudeMax] = [1e-125, 1e125];

/** Whether a text at any depth has more than 64 KB. */
export function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return !Text.safeParse(value).success;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongText);
}

/** Why a value cannot be stored as an attribute; undefined: it can. A value that is stored as JSON needs no check. */
export function storageProblemOf(value: unknown, level = 0): string | undefined {
  if (typeof value === "number") {
    const magnitude = Math.abs(value);
    const fits = magnitude === 0 || (magnitude < magnitudeMax && magnitude > magnitudeMin);
    return fits ? undefined : "Has a number that is too large or small.";
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (level === levelsMax) return `Must nest at most ${levelsMax} levels.`;
  for (const entry of Object.values(value)) {
    const problem = storageProblemOf(entry, level + 1);
    if (problem) return problem;
  }
  return undefined;
}
