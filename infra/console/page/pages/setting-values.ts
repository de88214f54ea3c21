// Settings as fields of a form. The name of a field is its path in the data, such as `emailServiceConfig/fromEmail`. The
// parts are separated by slashes, because names of events contain dots.
import { inWords } from "../format.ts";
import type { Schema } from "./reference-document.ts";

export interface SettingField {
  name: string;
  label: string;
  meaning: string;
  kind: "flag" | "text" | "secret" | "number";
  options?: string[];
  min?: number;
  max?: number;
  /** A flag of one event. */
  isOfEvent?: true;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const valueAt = (object: unknown, path: string): unknown =>
  path.split("/").reduce((value, name) => (isObject(value) ? value[name] : undefined), object);

/** The fields that an endpoint takes, and of free-form data the flags that are stored. */
export function fieldsOf(schema: Schema, stored: object, names: string[] = []): SettingField[] {
  const { properties, type, description = "", enum: choices, minimum: min, maximum: max } = schema;
  if (properties) return Object.entries(properties).flatMap(([name, each]) => fieldsOf(each, stored, [...names, name]));
  if (type === "object") return flagsOf(valueAt(stored, names.join("/")), names);
  return [
    {
      name: names.join("/"),
      label: inWords(names.filter((name) => !/Config$|^providers$/.test(name)).join(" ")),
      meaning: description,
      kind: kindOf(schema, names.at(-1) ?? ""),
      ...(choices && { options: choices.map(String) }),
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    },
  ];
}

function kindOf({ type }: Schema, name: string): SettingField["kind"] {
  if (type === "boolean") return "flag";
  if (type === "integer") return "number";
  return /^(?:apiKey|authToken|botToken)$/.test(name) ? "secret" : "text";
}

/** Each flag of nested groups. */
function flagsOf(value: unknown, names: string[]): SettingField[] {
  if (isObject(value)) return Object.entries(value).flatMap(([name, each]) => flagsOf(each, [...names, name]));
  if (typeof value !== "boolean") return [];
  const event = names.slice(names.indexOf("triggers") + 1);
  return [{ name: names.join("/"), label: event.join(" "), meaning: "", kind: "flag", isOfEvent: true }];
}

/**
 * The data of the call that stores what was entered. It has only the changed fields. A secret that was not typed is
 * left out.
 */
export function changedSettings(fields: readonly SettingField[], entered: FormData, stored: object): object {
  const changed = {};
  for (const { name, kind } of fields) {
    const text = String(entered.get(name) ?? "");
    const before = valueAt(stored, name);
    const value = kind === "flag" ? entered.has(name) : kind === "number" ? Number(text) : text;
    const isSame = kind === "secret" ? text === "" : value === (before ?? (kind === "flag" ? false : ""));
    if (!isSame) put(changed, name.split("/"), value);
  }
  return changed;
}

function put(object: Record<string, unknown>, [first = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    object[first] = value;
    return;
  }
  object[first] ??= {};
  put(object[first] as Record<string, unknown>, rest, value);
}
