// Captures the lines that functions log to standard output: tests can read them, and the report does not contain them.
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
  // An endpoint returned a status that its declaration and the OpenAPI document do not list.
  expect(logs().filter((line) => line.message === "undeclared status")).toEqual([]);
});

/** What was logged since the test began. */
export function logs(): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line));
}

/** The same lines as text, to search for what must not be logged. */
export function logText(): string {
  return lines.join("");
}
