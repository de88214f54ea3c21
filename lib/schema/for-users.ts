// Marks of fields for calls with a user's token (DECISIONS.md#calls-of-users).
import type * as z from "zod/mini";
import { type Definition, definitionOf } from "./definition.ts";

/**
 * `actor`: names who acts. A user's call may leave it out, and cannot name another.
 * `unsent`: a user's call cannot send it. `hidden`: as `unsent`, and replies to users leave it out.
 * `own`: the name of a person beside `userId`. A user's call gives a name to no other person.
 */
export type UserMark = "actor" | "unsent" | "hidden" | "own";

const marks = new WeakMap<object, UserMark>();

/** A schema to which checks are added keeps its mark. */
export const markOf = (schema: { _zod: { parent?: object | undefined } } | undefined): UserMark | undefined =>
  schema && (marks.get(schema) ?? markOf(schema._zod.parent as typeof schema));

const marked =
  (mark: UserMark) =>
  <Schema extends z.ZodMiniType>(schema: Schema): Schema => {
    const own = schema.clone();
    marks.set(own, mark);
    return own;
  };

/** Marks an id of a user, a person, or a list of them. */
export const actor = marked("actor");
export const unsentByUsers = marked("unsent");
export const ownName = marked("own");
export const hiddenFromUsers = marked("hidden");

/** The way to a marked field: names of fields; `*` stands for each entry of a list or a map. */
export interface MarkedField {
  path: readonly string[];
  mark: UserMark;
  schema: z.ZodMiniType;
}

/** The marked fields of a schema, those inside of marked fields included. */
export function markedFields(schema: z.ZodMiniType, path: readonly string[] = []): MarkedField[] {
  const mark = markOf(schema);
  const own = mark ? [{ path, mark, schema }] : [];
  return [...own, ...inner(definitionOf(schema), path)];
}

function inner(definition: Definition, path: readonly string[]): MarkedField[] {
  const { shape = {}, element, valueType, innerType, options = [] } = definition;
  const fields = Object.entries(shape).flatMap(([name, field]) => markedFields(field, [...path, name]));
  const entries = [element, valueType].flatMap((each) => (each ? markedFields(each, [...path, "*"]) : []));
  const same = [innerType, ...options].flatMap((each) => (each ? markedFields(each, path) : []));
  return [...fields, ...entries, ...same];
}
