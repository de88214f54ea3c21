import { expect, it } from "vitest";
import { log } from "../../lib/log.ts";
import { logs, logText } from "../support/capture-logs.ts";

it("log writes one line of JSON for any text", () => {
  log("info", "call", { endpoint: "a\nb\u2028" });
  expect(logText().split("\n")).toHaveLength(2);
  expect(logs()).toEqual([
    { level: "info", time: expect.stringMatching(/Z$/), message: "call", endpoint: "a\nb\u2028" },
  ]);
});

it("log writes a cause with its stack and its inner causes, without its other properties", () => {
  const inner = Object.assign(new Error("inner"), { request: { authToken: "secret" } });
  log("error", "call", { cause: new TypeError("outer", { cause: inner }) });
  const stack = expect.stringContaining("inner");
  expect(logs()).toMatchObject([{ cause: { name: "TypeError", cause: { name: "Error", stack } } }]);
  expect(logText()).not.toContain("secret");
});

it("log accepts circular causes", () => {
  const one: Error & { cause?: unknown } = new Error("one");
  one.cause = new Error("two", { cause: one });
  log("error", "call", { cause: one });
  expect(logs()).toHaveLength(1);
});

it("log writes a thrown value that is not an error", () => {
  log("error", "call", { cause: "a text" });
  expect(logs()).toMatchObject([{ cause: "a text" }]);
});
