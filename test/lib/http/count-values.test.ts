import { expect, it } from "vitest";
import { countValues, doubledField } from "../../../lib/http/count-values.ts";
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

it.each([
  ['{"data":{"a":1,"b":{"a":2,"c":3,"a":4}}}', ["data", "b", "a"]],
  ['{"data" : [ {"a":[]} , {"x":[{"a":1}], "a":1 , "a" :2}]}', ["data", "1", "a"]],
  [String.raw`{"data":{"a\":{":{},"b":"\u0061", "a":"{,", "\u0061":1}}`, ["data", "a"]],
  ['{"data":{},"more":[[{"__proto__":1,"__proto__":2}]],"data":{}}', ["more", "0", "0", "__proto__"]],
  ['{"data":{},"data":{}}', ["data"]],
  ['{"":1,"":2}', [""]],
  ['{"a":["a","a",{"a":"a"}],"b":{"a":{"a":1}}}', undefined],
])("the doubled field of %s is %j", (text, path) => {
  expect(doubledField(text)).toEqual(path);
});

it("any JSON without a doubled field has none, and one that is added is found", () => {
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, "\t"), (json, space) => {
      const text = JSON.stringify({ a: json, b: json, "a ": [json] }, undefined, space);
      expect(doubledField(text)).toBeUndefined();
      expect(doubledField(text.replace('"b":', '"\\u0061":'))).toEqual(["a"]);
    }),
    { numRuns: 300 },
  );
});

it("stops above the maximum", () => {
  const text = { length: 10_000_000, charCodeAt: (at: number) => (at < 100 ? 0x5b : expect.fail("reads on")) };
  expect(countValues(text as unknown as string, 20)).toBe(21);
});
