// Validates fields against a schema. One failure lists all issues, in the shape of the contract.
import type * as z from "zod/mini";
import { ApiError, invalidArgument } from "../errors.ts";
import { definitionOf } from "../schema/definition.ts";
import { nearest } from "../schema/nearest.ts";
import { reservedNameIssues } from "./reserved-names.ts";
import { bareDefinitionOf, fieldNames, isStrict, schemaAt } from "./schema-fields.ts";
import { listedMax, placeOf, suggestion } from "./unknown-fields.ts";

/**
 * Returns `data` without unknown fields. Removes some nulls from `data` itself. INVALID_ARGUMENT lists all issues:
 * issues of the schema, fields with a reserved name, and the fields of `refused`, which the endpoint does not take.
 */
export function validate<Schema extends z.ZodMiniType>(
  schema: Schema,
  data: unknown,
  refused: readonly string[] = [],
): z.output<Schema> {
  const reserved = reservedNameIssues(data);
  dropNulls(schema, data);
  const parsed = parse(schema, data);
  if (parsed.success && refused.length === 0 && reserved.length === 0) return parsed.data;
  const found = parsed.error?.issues ?? [];
  const issues = found.flatMap((issue, index) => {
    const path = issue.path.map(String);
    if (issue.code === "unrecognized_keys") return unknownIssues(schema, path, issue.keys);
    const hint = index < suggestedMax ? misspelled(schema, data, issue) : "";
    const message = messageOf(issue, valueAt(data, issue.path)) + hint;
    return [{ code: issue.code, path, message }];
  });
  const unknown = unknownIssues(schema, [], refused);
  throw invalidArgument([...issues, ...reserved, ...unknown]);
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, data: unknown) {
  try {
    return schema.safeParse(data);
  } catch (thrown) {
    // Zod passes the issues as arguments, and the stack has room for about 100,000.
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new ApiError("INVALID_ARGUMENT", "Too many fields are invalid. Send fewer entries to see them.");
  }
}

/** One issue for each of the first 1,000 names, which the object at `path` does not take. */
function unknownIssues(schema: z.ZodMiniType, path: readonly string[], names: readonly string[]) {
  const inside = schemaAt(schema, path);
  const known = inside ? fieldNames(inside) : [];
  return names.slice(0, listedMax).map((name, index) => ({
    code: "unrecognized_keys",
    path: [...path, name],
    message: `Is not a known field.${index < suggestedMax ? suggestion(name, known, nearest(name, known) ?? placeOf(schema, name)) : ""}`,
  }));
}

function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  const isMissing = value === undefined && issue.code !== "custom";
  if (isMissing) return issue.message.startsWith("Is required.") ? issue.message : "Is required.";
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  if (issue.code === "invalid_type" && issue.message === "Invalid input") return `Must be of type ${issue.expected}.`;
  return issue.message;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], data);
}

/** For a missing field: the unknown field beside it that is probably a misspelling of it. */
function misspelled(schema: z.ZodMiniType, data: unknown, { code, path }: z.core.$ZodIssue): string {
  const name = path.at(-1);
  if (code === "custom" || typeof name !== "string" || valueAt(data, path) !== undefined) return "";
  const beside = path.slice(0, -1);
  const parent = valueAt(data, beside);
  const parentSchema = schemaAt(schema, beside.filter(isName));
  if (typeof parent !== "object" || parent === null || !parentSchema) return "";
  const known = fieldNames(parentSchema);
  const unknown = Object.keys(parent).filter((each) => !known.includes(each));
  const sent = nearest(name, unknown.slice(0, comparedMax));
  return sent === undefined ? "" : ` You sent ${JSON.stringify(sent)}.`;
}

const isName = (key: PropertyKey): key is string => typeof key === "string";

/** Most unknown fields that are compared with a missing field. */
const comparedMax = 100;
/** Most issues for which this is done. */
const suggestedMax = 100;

/**
 * Removes `null` where it means absent: many client libraries send it for fields that are not set. These are optional
 * fields that cannot be null, fields of strict objects, and texts of any name. A null inside free-form content stays.
 */
function dropNulls(schema: z.ZodMiniType, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const { shape = {}, element, catchall } = bareDefinitionOf(schema);
  if (Array.isArray(value)) {
    if (element) for (const entry of value) dropNulls(element, entry);
    return;
  }
  const fields = value as Record<string, unknown>;
  if (isStrict(schema)) for (const key of Object.keys(fields)) if (fields[key] === null) delete fields[key];
  for (const [key, field] of Object.entries(shape)) {
    if (fields[key] === null && meansAbsent(field)) delete fields[key];
    else dropNulls(field, fields[key]);
  }
  if (!catchall || definitionOf(catchall).type !== "string") return;
  for (const key in fields) if (fields[key] === null && !Object.hasOwn(shape, key)) delete fields[key];
}

function meansAbsent(field: z.ZodMiniType): boolean {
  const { type, innerType } = definitionOf(field);
  return type === "optional" && innerType !== undefined && definitionOf(innerType).type !== "nullable";
}
