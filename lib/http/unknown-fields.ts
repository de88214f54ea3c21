// Fields of `data` that an endpoint does not have (DECISIONS.md#unknown-fields).
import type * as z from "zod/mini";
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
  const { shape = {} } = schema._zod.def as unknown as { shape?: object };
  const isUnknown = (name: string) => !Object.hasOwn(shape, name) && data[name] !== null && name !== reservedName;
  const names = Object.keys(data).filter(isUnknown);
  return names.slice(0, listedMax);
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
