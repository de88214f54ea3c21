// Fields of `data` that an endpoint does not have (DECISIONS.md#unknown-fields).
import type * as z from "zod/mini";
import { nearest } from "./nearest.ts";
import { reservedName } from "./reserved-names.ts";

export const ignoredFieldsHeader = "x-ignored-fields";

/** Most names in one header. */
const namesMax = 10;
/** Most characters of one name after percent-encoding, so a header has less than 1 KB. */
const nameCharactersMax = 64;
/** Most unknown fields to list. A body has room for a million. */
const listedMax = 1_000;

/**
 * The top-level fields that the schema does not name. A field with the value null is as if absent. A reserved name is
 * left out: validation refuses it.
 */
export function unknownFields(schema: z.ZodMiniType, data: Record<string, unknown>): string[] {
  const known = new Set(fieldNames(schema));
  const isUnknown = (name: string) => !known.has(name) && data[name] !== null && name !== reservedName;
  const names = Object.keys(data).filter(isUnknown);
  return names.slice(0, listedMax);
}

/** The fields that the schema names, at its top level. */
export const fieldNames = (schema: z.ZodMiniType): string[] =>
  Object.keys((schema._zod.def as unknown as { shape?: object }).shape ?? {});

/** A sentence with the known field that is nearest to the unknown one; empty when none is near. */
export function suggestion(unknown: string, known: readonly string[]): string {
  const meant = nearest(unknown, known);
  return meant === undefined ? "" : ` Did you mean ${meant}?`;
}

/** The header that names ignored fields; no header without such a field. */
export function ignoredFields(names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  return { [ignoredFieldsHeader]: names.slice(0, namesMax).map(encoded).join(",") };
}

/** Stops before the first character that does not fit, so that the name can be decoded. */
function encoded(name: string): string {
  let text = "";
  for (const character of name) {
    const next = encodeURIComponent(character);
    if (text.length + next.length > nameCharactersMax) break;
    text += next;
  }
  return text;
}
