import { expect, it } from "vitest";
import * as z from "zod/mini";
import { ignoredFields, innerUnknownFields, suggestion, unknownFields } from "../../../lib/http/unknown-fields.ts";
import { optional } from "../../../lib/schema/primitives.ts";

const schema = z.object({ known: optional(z.string()), constructor: z.string() }).check(z.refine(() => true));

it("the unknown fields are the own top-level fields that the schema does not name, without nulls", () => {
  const data = JSON.parse('{"known":1,"constructor":2,"__proto__":3,"toString":4,"none":null,"x":{"known":5}}');
  expect(unknownFields(schema, data)).toEqual(["toString", "x"]);
  expect(unknownFields(schema, {})).toEqual([]);
});

it("at most 1,000 unknown fields are listed", () => {
  const data = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x${index}`, index]));
  expect(unknownFields(schema, data)).toHaveLength(1_000);
});

const nested = z.object({
  one: optional(z.nullable(z.object({ known: z.string() }))),
  list: z.array(z.object({ known: z.string(), deep: optional(z.object({ known: z.string() })) })),
  open: z.looseObject({ known: z.string() }),
  free: z.record(z.string(), z.unknown()),
  either: optional(z.union([z.string(), z.object({ known: z.string() })])),
  several: z.union([z.object({ known: z.string() }), z.object({ other: z.string() })]),
});

it("the unknown fields inside of others are paths without positions, each once", () => {
  const data = {
    x: { y: 1 },
    one: { known: 1, knwon: 2, none: null },
    list: [{ known: 1, a: 1 }, { a: 2, deep: { b: 3 } }, "no object", null, [{ c: 1 }]],
    open: { d: 1 },
    free: { e: { f: 1 } },
    either: { g: 1 },
    several: { h: 1 },
  };
  expect(innerUnknownFields(nested, data)).toEqual(["one.knwon", "list.a", "list.deep.b", "either.g"]);
  for (const value of [
    {},
    { one: null, list: {} },
    { one: "text", list: 5, either: "text" },
    { one: [1], list: [[]] },
  ]) {
    expect(innerUnknownFields(nested, value)).toEqual([]);
  }
});

it("at most 1,000 unknown fields inside of others are listed", () => {
  const entry = (start: number) => Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`x${start + at}`, 1]));
  expect(innerUnknownFields(nested, { list: [entry(0), entry(700), entry(1_400)] })).toHaveLength(1_000);
});

it("without an ignored field there is no header", () => {
  expect(ignoredFields([])).toEqual({});
});

it("the header names ten fields, each cut to 64 characters that can be decoded, and has less than 1 KB", () => {
  const names = [..."abcdefghijkl"].map((name) => `${name}${"😀".repeat(300)}`);
  const header = ignoredFields(names)["x-ignored-fields"] ?? "";
  expect(header.split(",").map(decodeURIComponent)).toEqual([..."abcdefghij"].map((name) => `${name}😀😀😀😀😀`));
  expect(Buffer.byteLength(header)).toBeLessThan(1_024);
  expect(ignoredFields(["x".repeat(65)])).toEqual({ "x-ignored-fields": "x".repeat(64) });
});

it("the header holds no character that could end it or divide a name", () => {
  expect(ignoredFields(["a\r\nset-cookie: b", "c,d"])).toEqual({
    "x-ignored-fields": "a%0D%0Aset-cookie%3A%20b,c%2Cd",
  });
});

it("a suggestion is the known field that is nearest, if one is near", () => {
  expect(suggestion("Known", ["known"])).toBe(" Did you mean known?");
  expect(suggestion("other", ["known"])).toBe("");
});
