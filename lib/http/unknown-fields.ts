// Fields in `data` that an endpoint does not have (DECISIONS.md#unknown-fields).
import type * as z from "zod/mini";
import { Ignored } from "../schema/definition.ts";
import { nearest } from "../schema/nearest.ts";
import { reservedName } from "./reserved-names.ts";
import { bareDefinitionOf, isStrict } from "./schema-fields.ts";

export const ignoredFieldsHeader = "x-ignored-fields";

/** Most names in one header. */
const namesMax = 10;
/** Most characters of one name after percent-encoding, so a header has less than 1 KB. */
const nameCharactersMax = 64;
/** Most unknown fields to list. A body has room for a million. */
export const listedMax = 1_000;

type Fields = Record<string, unknown>;

/**
 * The fields of an object that its schema does not name or ignores, at most 1,000. A field with the value null is as if
 * absent. A reserved name is left out: validation refuses it.
 */
export function unknownFields(schema: z.ZodMiniType, data: Fields): string[] {
  const { shape, catchall } = bareDefinitionOf(schema);
  if (!shape) return [];
  const isUnnamed = (name: string) => (Object.hasOwn(shape, name) ? shape[name] === Ignored : !catchall);
  const isUnknown = (name: string) => isUnnamed(name) && data[name] !== null && name !== reservedName;
  return Object.keys(data).filter(isUnknown).slice(0, listedMax);
}

/**
 * The unknown fields of the objects inside of `data` and of its lists, at most 1,000. Each is a path without positions,
 * such as `folders.foldername`, and is there once. A value that can be one of several objects is left out.
 */
export function innerUnknownFields(schema: z.ZodMiniType, data: Fields): string[] {
  const paths = new Set<string>();
  collectInner(schema, data, "", paths);
  return [...paths].slice(0, listedMax);
}

function collectInner(schema: z.ZodMiniType, data: Fields, prefix: string, paths: Set<string>): void {
  for (const [name, field] of Object.entries(bareDefinitionOf(schema).shape ?? {})) {
    const path = `${prefix}${name}.`;
    for (const [entry, itsSchema] of objectsIn(field, data[name])) {
      if (paths.size >= listedMax) return;
      for (const unknown of unknownFields(itsSchema, entry)) paths.add(path + unknown);
      collectInner(itsSchema, entry, path, paths);
    }
  }
}

/** The value if it is an object. If it is a list: the objects in it. */
function* objectsIn(schema: z.ZodMiniType, value: unknown): Generator<[entry: Fields, schema: z.ZodMiniType]> {
  if (typeof value !== "object" || value === null) return;
  const { element } = bareDefinitionOf(schema);
  if (!Array.isArray(value)) yield [value as Fields, schema];
  else if (element) for (const entry of value) yield* objectsIn(element, entry);
}

/**
 * The path of the field that an unknown name means: a field of the call itself or of its strict objects. So a filter
 * that stands beside `filters` has the path of the filter. If the call has strict objects, a misspelled name has a path
 * too. Undefined if there is no such field.
 */
export function placeOf(schema: z.ZodMiniType, name: string): string | undefined {
  const places = placesIn(schema, "");
  const isStrictInside = [...places.values()].some((path) => path.includes("."));
  const meant = isStrictInside && !places.has(name) ? nearest(name, [...places.keys()]) : name;
  return places.get(meant ?? "");
}

function placesIn(schema: z.ZodMiniType, prefix: string): Map<string, string> {
  const fields = Object.entries(bareDefinitionOf(schema).shape ?? {}).filter(([, field]) => field !== Ignored);
  const inner = fields.flatMap(([name, field]) => (isStrict(field) ? [...placesIn(field, `${prefix}${name}.`)] : []));
  return new Map([...inner, ...fields.map(([name]): [string, string] => [name, prefix + name])]);
}

/** A sentence with the field that is meant by an unknown one. Default: the nearest known one; empty when none is near. */
export function suggestion(unknown: string, known: readonly string[], meant = nearest(unknown, known)): string {
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
