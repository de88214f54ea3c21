import { expect, test } from "vitest";
import {
  flagsOf,
  isStored,
  merged,
  objectWith,
  problemOf,
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

test("an empty number is refused, and never sent as 0", () => {
  expect(problemOf({ kind: "number" }, "")).toContain("Type a number");
  expect(problemOf({ kind: "number" }, Number.POSITIVE_INFINITY)).toContain("Type a number");
  expect(problemOf({ kind: "number" }, 0)).toBeUndefined();
  expect(problemOf({ kind: "text" }, "")).toBeUndefined();
});

test("a field that is empty again, or as it is stored, is no change", () => {
  expect([isStored("", undefined), isStored(undefined, true), isStored(120, 120)]).toEqual([true, true, true]);
  expect([isStored("", "Acme"), isStored("", 120), isStored(false, undefined)]).toEqual([false, false, false]);
});
