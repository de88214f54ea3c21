import { expect, test } from "vitest";
import { ApiFailure } from "../../../../infra/console/page/api.ts";
import { isFinal, tryOf } from "../../../../infra/console/page/try.ts";

const { signal } = new AbortController();

test("a retry gets the values of the first try, and other content gets new ones", () => {
  const values = new Map<string, unknown>();
  let made = 0;
  const attempt = (content: unknown) => tryOf(values, signal).kept(content, () => ++made);
  expect([attempt({ a: 1, b: 2 }), attempt({ b: 2, a: 1 }), attempt({ a: 1 })]).toEqual([1, 1, 2]);
});

test("equal calls of one try have values of their own, which a retry gets in the same order", () => {
  const values = new Map<string, unknown>();
  let made = 0;
  const two = () => {
    const { kept } = tryOf(values, signal);
    return [kept("same", () => ++made), kept("same", () => ++made)];
  };
  expect([two(), two()]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test("a failure is final only if the API would reply the same again", () => {
  const statuses = [
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "ITEM_FAILED",
    "UNREACHABLE",
    "UNAVAILABLE",
    "ABORTED",
    "INTERNAL",
  ];
  const found = statuses.filter((status) => isFinal(new ApiFailure(status, "It failed.")));
  expect(found).toEqual(["INVALID_ARGUMENT", "NOT_FOUND", "ITEM_FAILED"]);
  expect(isFinal(new TypeError("The connection ended."))).toBe(false);
});
