import { expect, it } from "vitest";
import type * as z from "zod/mini";
import { endpoints } from "../../../infra/deployables.ts";

interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  options?: z.ZodMiniType[];
  checks?: { _zod: { def: { check?: string; abort?: boolean; pattern?: RegExp } } }[];
}

const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition;

/** Each string of a schema, with its path. */
function stringsOf(schema: z.ZodMiniType, path: string): [string, Definition][] {
  const definition = definitionOf(schema);
  const { type, shape = {}, element, innerType, options = [] } = definition;
  return [
    ...(type === "string" ? [[path, definition] as [string, Definition]] : []),
    ...[element, innerType, ...options].flatMap((each) => (each ? stringsOf(each, path) : [])),
    ...Object.entries(shape).flatMap(([name, each]) => stringsOf(each, `${path}.${name}`)),
  ];
}

/** It reads each character once. */
const isLinear = ({ source }: RegExp) => source === "\\S" || /^\^\[[^\]]+\]\{\d+,\d+\}\$$/.test(source);

it("no pattern runs on a text before its length is checked", () => {
  const strings = endpoints.flatMap(({ name, data }) => stringsOf(data, name));
  const isUnbound = ({ checks = [] }: Definition) =>
    checks.some(({ _zod: { def } }, index) => {
      if (!def.pattern || isLinear(def.pattern)) return false;
      return !checks.slice(0, index).some((before) => before._zod.def.abort);
    });
  expect(strings.filter(([, each]) => isUnbound(each)).map(([path]) => path)).toEqual([]);
  expect(strings.some(([, { checks = [] }]) => checks.some(({ _zod }) => _zod.def.pattern))).toBe(true);
});
