import { expect, it } from "vitest";
import * as z from "zod/mini";
import { fieldNames, schemaAt } from "../../../lib/http/schema-fields.ts";
import { optional } from "../../../lib/schema/primitives.ts";

const text = z.string();
const schema = z.object({
  list: optional(z.array(z.object({ inner: z.nullable(z.object({ text })) }))),
  free: z.record(z.string(), z.unknown()),
});

it("the names of fields are those of the object, or of the entries of a list", () => {
  expect(fieldNames(schema)).toEqual(["list", "free"]);
  expect(fieldNames(optional(z.array(schema)))).toEqual(["list", "free"]);
  expect(fieldNames(text)).toEqual([]);
});

it("a schema is found by the names on the way to it, without positions in lists", () => {
  expect(schemaAt(schema, [])).toBe(schema);
  expect(schemaAt(schema, ["list", "inner", "text"])).toBe(text);
  for (const path of [["none"], ["free", "a"], ["list", "text"], ["constructor"]]) {
    expect(schemaAt(schema, path)).toBeUndefined();
  }
});
