// The largest request that an endpoint's schema admits, made from a valid one: each list has its maximum of entries.
import type * as z from "zod/mini";
import { isIdSchema } from "./schema-fields.ts";

interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  checks?: { _zod: { def: { maximum?: number } } }[];
}

const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition;

/** Lists within entries keep their length: all lists together would exceed the size of a body. */
export function largestOf(schema: z.ZodMiniType, valid: unknown): unknown {
  const { type, shape, element, innerType, checks = [] } = definitionOf(schema);
  if (innerType) return largestOf(innerType, valid);
  if (type === "array" && element && Array.isArray(valid) && valid.length > 0) {
    const maximum = checks.map(({ _zod }) => _zod.def.maximum).find((each) => each !== undefined) ?? valid.length;
    return Array.from({ length: maximum }, (_, index) =>
      index < valid.length ? valid[index] : variation(element, valid[0], index),
    );
  }
  if (type !== "object" || !shape || typeof valid !== "object" || valid === null) return valid;
  const fields = valid as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, shape[name] ? largestOf(shape[name], value) : value]),
  );
}

/** The entry with another id. An object's own id is its first field that is one. */
function variation(schema: z.ZodMiniType, entry: unknown, index: number): unknown {
  const { shape, innerType } = definitionOf(schema);
  if (innerType) return variation(innerType, entry, index);
  if (isIdSchema(schema)) return `${entry}-${index}`;
  if (typeof entry === "string" && entry.includes(":")) return `${entry}-${index}`;
  // Near to no name that the API has: that would be a mistyped one.
  if (typeof entry === "string") return `another-${index}-${entry}`;
  if (!shape) return entry;
  const own = Object.keys(shape).find((name) => isId(shape[name]) && entry !== null && name in (entry as object));
  const fields = entry as Record<string, unknown>;
  return own === undefined ? entry : { ...fields, [own]: `${fields[own]}-${index}` };
}

function isId(schema: z.ZodMiniType | undefined): boolean {
  if (!schema) return false;
  const { innerType } = definitionOf(schema);
  return innerType ? isId(innerType) : isIdSchema(schema);
}
