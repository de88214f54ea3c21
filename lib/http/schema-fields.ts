// The fields of a schema, as its declaration has them.
import type * as z from "zod/mini";
import { type Definition, definitionOf } from "../schema/definition.ts";

/**
 * The definition of an optional or nullable schema without that wrapper. For a union with one object, it is the
 * object's definition: a value that is an object can only be meant as this object.
 */
export function bareDefinitionOf(schema: z.ZodMiniType): Definition {
  const definition = definitionOf(schema);
  const { type, innerType, options = [] } = definition;
  if ((type === "optional" || type === "nullable") && innerType) return bareDefinitionOf(innerType);
  const objects = options.map(bareDefinitionOf).filter(({ shape }) => shape);
  return (objects.length === 1 && objects[0]) || definition;
}

/** Whether a schema is an object that refuses unknown fields. */
export function isStrict(schema: z.ZodMiniType): boolean {
  const { catchall } = bareDefinitionOf(schema);
  return catchall !== undefined && definitionOf(catchall).type === "never";
}

/** The names of the fields of an object. Of a list: the names of the fields of its entries. */
export function fieldNames(schema: z.ZodMiniType): string[] {
  const { shape, element } = bareDefinitionOf(schema);
  return element ? fieldNames(element) : Object.keys(shape ?? {});
}

/**
 * The schema of a field. The path leaves out positions in lists. Undefined for a field inside of free-form content, and
 * inside of a value that can be one of several objects.
 */
export function schemaAt(schema: z.ZodMiniType, path: readonly string[]): z.ZodMiniType | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const { shape, element } = bareDefinitionOf(schema);
  if (element) return schemaAt(element, path);
  const inner = shape && Object.hasOwn(shape, name) ? shape[name] : undefined;
  return inner && schemaAt(inner, rest);
}
