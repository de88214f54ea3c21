import { expect, it } from "vitest";
import { countValues } from "../../../lib/http/count-values.ts";
import fc from "../../support/property.ts";

const many = 1_000_000;

const counted = (value: unknown): number =>
  typeof value !== "object" || value === null
    ? 1
    : Object.values(value).reduce((sum: number, each) => sum + counted(each), 1);

it("counts the values of any JSON, with any white space", () => {
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, "\t"), (json, space) => {
      expect(countValues(JSON.stringify(json, undefined, space), many)).toBe(counted(json));
    }),
    { numRuns: 500 },
  );
});

it.each([
  ["brackets, commas and quotes in strings", String.raw`{"[,{\"":"\\","b":"],\"["}`, 3],
  ["empty lists and objects", "[ [ ] , {\n} ]", 3],
  ["a name that is there twice", '{"a":1,"a":2}', 3],
  ["a string without an end", String.raw`["a,b\"]`, 2],
  ["a backslash at the end", '["\\', 2],
  ["no text", "", 1],
])("counts values where there are %s", (_, text, expected) => {
  expect(countValues(text, many)).toBe(expected);
});

it("stops above the maximum", () => {
  const text = { length: 10_000_000, charCodeAt: (at: number) => (at < 100 ? 0x5b : expect.fail("reads on")) };
  expect(countValues(text as unknown as string, 20)).toBe(21);
});
