// The fields of a request, read from its schema, so that the common tests cover a new endpoint.
import type * as z from "zod/mini";
import { Id } from "../../../lib/schema/primitives.ts";

interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  options?: z.ZodMiniType[];
  catchall?: z.ZodMiniType;
  checks?: { _zod: { def: object } }[];
}

export interface Field {
  path: string[];
  /** The field must be present if its parent is. */
  isRequired: boolean;
  isId: boolean;
  /** The bounds of a list. Empty: not a list, or a list without bounds. */
  entries: { minimum?: number; maximum?: number };
  type: string;
  /** The field is an object with the fields that its schema names, and no others. */
  isClosed: boolean;
  /** A value of each JSON type that the field does not accept. */
  wrong: unknown[];
}

const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition;

/** Whether the schema is an id, also with a description or further rules. */
export const isIdSchema = (schema: z.core.$ZodType): boolean =>
  schema === Id || (schema._zod.parent !== undefined && isIdSchema(schema._zod.parent));

/** Every field, depth first. The path of a list's entry ends with index 0. */
export function fieldsOf(schema: z.ZodMiniType, path: string[] = [], isOptional = false): Field[] {
  const { type, shape = {}, element, innerType, catchall } = definitionOf(schema);
  if ((type === "optional" || type === "nullable") && innerType) return fieldsOf(innerType, path, true);
  const isRequired = !isOptional && type !== "unknown" && Number.isNaN(Number(path.at(-1)));
  const own: Field = {
    path,
    isRequired,
    isId: isIdSchema(schema),
    entries: boundsOf(schema),
    type,
    isClosed: type === "object" && !catchall,
    wrong: wrongFor(schema, !isOptional),
  };
  const inner = Object.entries(shape).flatMap(([name, field]) => fieldsOf(field, [...path, name]));
  const entry = element ? fieldsOf(element, [...path, "0"]) : [];
  return [...(path.length > 0 ? [own] : []), ...inner, ...entry];
}

function boundsOf(schema: z.ZodMiniType): Field["entries"] {
  const { type, checks = [] } = definitionOf(schema);
  if (type !== "array") return {};
  return Object.assign({}, ...checks.map((check) => check._zod.def));
}

const samples: Record<string, unknown> = { string: "no such value", number: 4.5, boolean: true, array: [], object: {} };

function wrongFor(schema: z.ZodMiniType, refusesNull: boolean): unknown[] {
  const accepted = acceptedBy(schema);
  const kinds = Object.keys(samples).filter((kind) => !accepted.includes(kind));
  const isAny = accepted.length === Object.keys(samples).length;
  return [...kinds.map((kind) => samples[kind]), ...(refusesNull && !isAny ? [null] : [])];
}

function acceptedBy(schema: z.ZodMiniType): string[] {
  const { type, options = [] } = definitionOf(schema);
  if (type === "unknown") return Object.keys(samples);
  if (type === "union") return options.flatMap(acceptedBy);
  if (type === "record") return ["object"];
  // An enum accepts no sample.
  return [type];
}

/** A request that has only objects, and lists of one object: no field has a value. */
export function hollowOf(schema: z.ZodMiniType): unknown {
  const { type, shape, element, innerType } = definitionOf(schema);
  if ((type === "optional" || type === "nullable") && innerType) return hollowOf(innerType);
  if (type === "array" && element) {
    const entry = hollowOf(element);
    return entry && [entry];
  }
  if (type !== "object" || !shape) return undefined;
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, hollowOf(field)]));
}

/** `data` with the value at the path. Missing parents are created. */
export function withValue<T extends object>(data: T, path: readonly string[], value: unknown): T {
  const copy = structuredClone(data);
  let at = copy as Record<string, unknown>;
  for (const [index, name] of path.slice(0, -1).entries()) {
    at[name] ??= path[index + 1] === "0" ? [] : {};
    at = at[name] as Record<string, unknown>;
  }
  at[path.at(-1) as string] = value;
  return copy;
}

export function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], data);
}
