// Objects whose fields are the client's own. They are kept as they came, so only their measures are ours to say.
import { Text } from "./primitives.ts";

/** Levels that an item of the table can nest, less those that hold the object there. */
const levelsMax = 24;
/** What the table takes of a number. */
const magnitudeMax = 1e125;
const magnitudeMin = 1e-125;

/** What is wrong with a value, deep inside too; undefined: it can be kept. */
export function problemOf(value: unknown, level = 0): string | undefined {
  if (typeof value === "string") return Text.safeParse(value).success ? undefined : "A string in it is over 64 KB.";
  if (typeof value === "number") {
    const magnitude = Math.abs(value);
    const fits = magnitude === 0 || (magnitude < magnitudeMax && magnitude > magnitudeMin);
    return fits ? undefined : "A number in it is too large or too small.";
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (level === levelsMax) return `Is nested more than ${levelsMax} levels deep.`;
  for (const entry of Object.values(value)) {
    const problem = problemOf(entry, level + 1);
    if (problem) return problem;
  }
  return undefined;
}
