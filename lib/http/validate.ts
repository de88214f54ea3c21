// Validates fields against a schema. One failure lists all issues, in the contract's shape
// (DECISIONS.md#validation-issues).
import type * as z from "zod/mini";
import { invalidArgument } from "../errors.ts";
import { nearest } from "./nearest.ts";
import { reservedNameIssues } from "./reserved-names.ts";
import { fieldNames, suggestion } from "./unknown-fields.ts";

/**
 * Returns `data` without unknown fields. Removes some nulls from `data` itself. INVALID_ARGUMENT lists all issues: those
 * of the schema, fields with a reserved name, and the fields of `refused`, which the endpoint does not take.
 */
export function validate<Schema extends z.ZodMiniType>(
  schema: Schema,
  data: unknown,
  refused: readonly string[] = [],
): z.output<Schema> {
  const reserved = reservedNameIssues(data);
  dropNulls(schema, data);
  const parsed = schema.safeParse(data);
  if (parsed.success && refused.length === 0 && reserved.length === 0) return parsed.data;
  const issues = (parsed.error?.issues ?? []).map((issue) => ({
    code: issue.code,
    path: issue.path.map(String),
    message: messageOf(issue, valueAt(data, issue.path)) + misspelled(schema, data, issue),
  }));
  const unknown = refused.map((name) => ({
    code: "unrecognized_keys",
    path: [name],
    message: `Is not a known field.${suggestion(name, fieldNames(schema))}`,
  }));
  throw invalidArgument([...issues, ...reserved, ...unknown]);
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

/** For a missing field: the unknown field beside it that probably is the missing one, misspelled. */
function misspelled(schema: z.ZodMiniType, data: unknown, { code, path }: z.core.$ZodIssue): string {
  const name = path.at(-1);
  if (code === "custom" || typeof name !== "string" || valueAt(data, path) !== undefined) return "";
  const beside = path.slice(0, -1);
  const [parent, parentSchema] = [valueAt(data, beside), schemaAt(schema, beside)];
  if (typeof parent !== "object" || parent === null || !parentSchema) return "";
  const known = fieldNames(parentSchema);
  const unknown = Object.keys(parent).filter((each) => !known.includes(each));
  const sent = nearest(name, unknown.slice(0, comparedMax));
  return sent === undefined ? "" : ` You sent ${JSON.stringify(sent)}.`;
}

/** Most unknown fields that are compared with a missing one. */
const comparedMax = 100;

/** The schema of the value at the path; undefined where the schema has alternatives. */
function schemaAt(schema: z.ZodMiniType, path: readonly PropertyKey[]): z.ZodMiniType | undefined {
  const { type, shape, element, innerType } = schema._zod.def as unknown as Definition;
  if ((type === "optional" || type === "nullable") && innerType) return schemaAt(innerType, path);
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const inner = type === "array" ? element : shape?.[String(key)];
  return inner && schemaAt(inner, rest);
}

interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
}

/**
 * Removes `null` where the schema has an optional field that cannot be null: there, null means absent
 * (DECISIONS.md#null-means-absent). It follows the schema, so a null inside free-form content stays.
 */
function dropNulls(schema: z.ZodMiniType, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const { type, shape, element, innerType } = schema._zod.def as unknown as Definition;
  if ((type === "optional" || type === "nullable") && innerType) dropNulls(innerType, value);
  if (type === "array" && element && Array.isArray(value)) for (const entry of value) dropNulls(element, entry);
  if (type !== "object" || !shape || Array.isArray(value)) return;
  const fields = value as Record<string, unknown>;
  for (const key in shape) {
    const field = shape[key] as z.ZodMiniType;
    const definition = field._zod.def as unknown as Definition;
    if (fields[key] === null && definition.type === "optional") {
      const inner = definition.innerType?._zod.def as unknown as Definition | undefined;
      if (inner?.type !== "nullable") delete fields[key];
    } else dropNulls(field, fields[key]);
  }
}
