import { expect, test } from "vitest";
import { tryOf } from "../../../../infra/console/page/try.ts";

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
