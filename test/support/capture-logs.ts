// The functions log to standard output. Tests read their lines here, and the report stays readable.
import { afterEach, beforeEach, expect } from "vitest";

let lines: string[] = [];

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
  if (typeof chunk !== "string" || !chunk.startsWith('{"level":')) return write(chunk, ...rest);
  lines.push(chunk);
  return true;
}) as typeof process.stdout.write;

beforeEach(() => {
  lines = [];
});

afterEach(() => {
  // A status that the declaration does not name would be missing from the documentation.
  expect(logs().filter((line) => line.message === "undeclared status")).toEqual([]);
});

/** What was logged since the test began. */
export function logs(): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line));
}

/** The same, as it was written: to look for what must not be there. */
export function logText(): string {
  return lines.join("");
}
