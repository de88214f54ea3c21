import { expect, it } from "vitest";
import * as z from "zod/mini";
import { fieldNames, ignoredFields, suggestion, unknownFields } from "../../../lib/http/unknown-fields.ts";
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
  expect(suggestion("Known", fieldNames(schema))).toBe(" Did you mean known?");
  expect(suggestion("other", fieldNames(schema))).toBe("");
});
