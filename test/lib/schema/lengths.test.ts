import { expect, it } from "vitest";
import type * as z from "zod/mini";
import { endpoints } from "../../../infra/deployables.ts";
import { matching } from "../../../lib/schema/primitives.ts";

interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  options?: z.ZodMiniType[];
  checks?: { _zod: { def: { pattern?: RegExp } } }[];
}

const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition;

/** The pattern of each string of a schema, with its path. */
function patternsOf(schema: z.ZodMiniType, path: string): [string, RegExp][] {
  const { type, shape = {}, element, innerType, options = [], checks = [] } = definitionOf(schema);
  const own = type === "string" ? checks.flatMap(({ _zod: { def } }) => def.pattern ?? []) : [];
  return [
    ...own.map((pattern): [string, RegExp] => [path, pattern]),
    ...[element, innerType, ...options].flatMap((each) => (each ? patternsOf(each, path) : [])),
    ...Object.entries(shape).flatMap(([name, each]) => patternsOf(each, `${path}.${name}`)),
  ];
}

/** It has no group, and reads each character once. */
const isLinear = ({ source }: RegExp) => source === "\\S" || /^\^\[[^\]]+\](?:\*|\{\d+,\d+\})\$$/.test(source);

it("a pattern does not read a text that is too long: V8 would throw", () => {
  const pattern = /^a+(\.a+)*$/;
  const text = "a.".repeat(3_000_000);
  expect(() => pattern.test(text)).toThrow(RangeError);
  const { error } = matching(pattern, 128, "Must be words.").safeParse(text);
  expect(error?.issues.map(({ message }) => message)).toEqual(["Must have at most 128 characters."]);
});

it("a pattern with a group runs after a check of the length: use `matching`", () => {
  const patterns = endpoints.flatMap(({ name, data }) => patternsOf(data, name));
  expect(patterns.filter(([, pattern]) => !isLinear(pattern))).toEqual([]);
  expect(patterns.length).toBeGreaterThan(0);
});
