// Values in nested objects, by paths such as `emailServiceConfig.fromEmail`.
import type { SettingField } from "./setting-groups.ts";

export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** What is wrong with a value that the reader entered. Undefined: nothing. */
export const problemOf = ({ kind }: Pick<SettingField, "kind">, entered: unknown): string | undefined =>
  kind === "number" && entered !== undefined && !Number.isFinite(entered) ? "Type a number, or discard it." : undefined;

/** Whether the reader entered what is stored. A field that is empty again is as if nothing was entered. */
export const isStored = (entered: unknown, stored: unknown): boolean =>
  entered === undefined || JSON.stringify(entered) === JSON.stringify(stored ?? "");

/** An object that has only this value. */
export function objectWith(path: string, value: unknown): Record<string, unknown> {
  const [first = "", ...rest] = path.split(".");
  return { [first]: rest.length === 0 ? value : objectWith(rest.join("."), value) };
}

/** One object with the fields of both; `other` wins. */
export function merged(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const result = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = result[name];
    result[name] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Each flag of nested groups, with the names that lead to it. */
export function flagsOf(value: unknown, names: string[] = []): { names: string[]; isOn: boolean }[] {
  if (typeof value === "boolean") return [{ names, isOn: value }];
  return isObject(value) ? Object.entries(value).flatMap(([name, each]) => flagsOf(each, [...names, name])) : [];
}

/** The same groups with one flag changed. */
export function withFlag(value: unknown, [first, ...rest]: string[], isOn: boolean): unknown {
  if (first === undefined) return isOn;
  const group = isObject(value) ? value : {};
  return { ...group, [first]: withFlag(group[first], rest, isOn) };
}
