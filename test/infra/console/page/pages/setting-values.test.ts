import { expect, test } from "vitest";
import {
  flagsOf,
  merged,
  objectWith,
  valueAt,
  withFlag,
} from "../../../../../infra/console/page/pages/setting-values.ts";

test("a value is found by its path, and never on a prototype", () => {
  expect(valueAt({ a: { b: 0 } }, "a.b")).toBe(0);
  expect(valueAt({ a: null }, "a.b")).toBeUndefined();
  expect(valueAt({}, "constructor.name")).toBeUndefined();
});

test("changes of several paths become one body without the other fields", () => {
  const changes = [objectWith("a.b", 1), objectWith("a.c", [2]), objectWith("d", true)];
  expect(changes.reduce(merged, {})).toEqual({ a: { b: 1, c: [2] }, d: true });
});

test("flags of nested groups are listed, and one of them changes alone", () => {
  const triggers = { comment: { added: true, deleted: false }, "user.add": true };
  expect(flagsOf(triggers).map(({ names }) => names)).toEqual([
    ["comment", "added"],
    ["comment", "deleted"],
    ["user.add"],
  ]);
  expect(withFlag(triggers, ["comment", "added"], false)).toEqual({
    comment: { added: false, deleted: false },
    "user.add": true,
  });
});
