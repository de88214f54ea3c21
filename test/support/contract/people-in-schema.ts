// Finds the fields of a schema that can name a person.
import type * as z from "zod/mini";
import { definitionOf } from "../../../lib/schema/definition.ts";
import { markOf } from "../../../lib/schema/for-users.ts";

const names = new RegExp(
  [
    "user|person|people|actor|author|owner|creator|member|participant|reader|viewer|reviewer|approver|recipient|sender",
    "watcher|follower|assign|mention|tagged|contact|e?mail|editors?$|^(?:from|to|by|cc|who|sub)$|(?:By|To|For)$",
  ].join("|"),
  "i",
);

/**
 * The paths of the fields that name a person by their names or their shapes, or that take anything, without positions in
 * lists. Not those with a mark of `lib/schema/for-users.ts`, nor what is inside of a found field.
 */
export function peopleIn(schema: z.ZodMiniType, path: readonly string[] = []): string[] {
  if (markOf(schema)) return [];
  const { type, shape = {}, element, valueType, innerType, options = [], catchall } = definitionOf(schema);
  if (innerType) return peopleIn(innerType, path);
  const isNamed = names.test(path.at(-1) ?? "") || (path.length > 0 && "userId" in shape);
  if (isNamed || type === "unknown" || type === "any") return [path.join(".")];
  const fields = Object.entries(shape).flatMap(([name, field]) => peopleIn(field, [...path, name]));
  const inner = [element, valueType, catchall, ...options];
  return [...new Set([...fields, ...inner.flatMap((each) => (each ? peopleIn(each, path) : []))])];
}
