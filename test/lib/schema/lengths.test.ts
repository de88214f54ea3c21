import { expect, it, vi } from "vitest";
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

/** The lists of a schema whose entries have a form, with their paths. */
function listsOf(schema: z.ZodMiniType, path: string): [string, z.ZodMiniType][] {
  const { type, shape = {}, element, innerType, options = [] } = definitionOf(schema);
  const hasForm = type === "array" && element && definitionOf(element).type !== "unknown";
  return [
    ...(hasForm ? [[path, schema] satisfies [string, z.ZodMiniType]] : []),
    ...[element, innerType, ...options].flatMap((each) => (each ? listsOf(each, path) : [])),
    ...Object.entries(shape).flatMap(([name, each]) => listsOf(each, `${path}.${name}`)),
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

const lists = endpoints.flatMap(({ name, data }) => listsOf(data, name));

it.each(lists)("the length of the list %s is checked before its entries", (_, list) => {
  const { element } = definitionOf(list);
  const looked = vi.spyOn((element as z.ZodMiniType)._zod, "run");
  const { error } = list.safeParse(new Array(100_000).fill({}));
  expect(error?.issues).toMatchObject([{ code: "too_big", message: expect.stringMatching(/^Must have at most/) }]);
  expect(looked).not.toHaveBeenCalled();
  looked.mockRestore();
});
