// A reply without the fields whose schema takes anything.
import type * as z from "zod/mini";
import { definitionOf } from "../../../lib/schema/definition.ts";

const takesAnything = (schema: z.ZodMiniType | undefined): boolean =>
  schema !== undefined && /^(?:unknown|any)$/.test(definitionOf(schema).type);

/** The value without them. Fields that the schema does not name stay. `found`: gets their paths, without positions. */
export function withoutFreeForm(
  schema: z.ZodMiniType,
  value: unknown,
  found: (path: string) => void = () => {},
  path: readonly string[] = [],
): unknown {
  const { shape, element, valueType, innerType, catchall, options = [] } = definitionOf(schema);
  if (value === undefined || value === null) return value;
  if (innerType) return withoutFreeForm(innerType, value, found, path);
  if ([schema, valueType, ...options].some(takesAnything)) return found(path.join("."));
  const option = options.find((each) => each.safeParse(value).success);
  if (option) return withoutFreeForm(option, value, found, path);
  if (element) return (value as unknown[]).map((each) => withoutFreeForm(element, each, found, path));
  const fields = Object.entries(typeof value === "object" ? value : {});
  if (!(shape || valueType)) return value;
  return Object.fromEntries(
    fields.map(([name, each]) => {
      const field = shape?.[name] ?? catchall ?? valueType;
      return [name, field ? withoutFreeForm(field, each, found, shape ? [...path, name] : path) : each];
    }),
  );
}
