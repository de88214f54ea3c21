// Captures the lines that functions log to standard output: tests can read them, and the report does not contain them.
import { afterEach, beforeEach, expect } from "vitest";
import { expectNoSecrets, forgetSecrets } from "./known-secrets.ts";
import { capturedLines, dropLines } from "./log-lines.ts";

beforeEach(() => {
  dropLines();
  forgetSecrets();
});

afterEach(() => {
  expectNoSecrets(logText());
  // Fails if an endpoint returned a status that its declaration does not list.
  const undeclared = capturedLines().filter((line) => line.includes('"undeclared status"'));
  expect(undeclared, "add the status to `errors` of the endpoint's declaration").toEqual([]);
});

/** What was logged since the test began. */
export function logs(): Record<string, unknown>[] {
  return capturedLines().map((line) => JSON.parse(line));
}

/** The lines that count for the alarm on server errors. */
export const errorLines = () => logs().filter(({ level }) => level === "error");

/** The same lines as text, to search for what must not be logged. */
export function logText(): string {
  return capturedLines().join("");
}
