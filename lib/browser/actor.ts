// Fills and checks the fields that name who acts, and hides what users do not see (DECISIONS.md#calls-of-users). The schema
// marks these fields.
import type * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import type { CallingUser, Endpoint } from "../http/endpoint.ts";
import { bareDefinitionOf } from "../http/schema-fields.ts";
import { type MarkedField, markedFields, type UserMark } from "../schema/for-users.ts";

type Fields = Record<string, unknown>;

const found = new WeakMap<z.ZodMiniType, MarkedField[]>();

function marked(schema: z.ZodMiniType, ...marks: UserMark[]): MarkedField[] {
  const all = found.get(schema) ?? markedFields(schema);
  found.set(schema, all);
  return all.filter(({ mark }) => marks.includes(mark));
}

/**
 * Fills fields that name who acts and are absent. The name and the e-mail address come from the token. Removes the names
 * of other people. Changes `data`. PERMISSION_DENIED for a field that names another user, or that users do not send.
 */
export function fill({ data: schema }: Endpoint, user: CallingUser, data: object): void {
  const actors = marked(schema, "actor");
  for (const { path, schema: field } of actors) {
    each(data, path, (holder, name) => {
      if (holder[name] === undefined || holder[name] === null) holder[name] = actorIn(field, user);
      else requireUser(holder[name], user, path);
    });
  }
  for (const { path } of marked(schema, "own")) {
    each(data, path, (person, name) => {
      if (person.userId === user.userId && user.name !== undefined) person[name] = user.name;
      else delete person[name];
    });
  }
  for (const { path } of marked(schema, "unsent", "hidden")) {
    if (actors.some((actor) => actor.path.every((name, index) => path[index] === name))) continue;
    each(data, path, (holder, name) => {
      if (holder[name] !== undefined && holder[name] !== null) throw denied(path, "is for servers");
    });
  }
}

/** The user in the form of the field: an id, a person, or a list with one of them. */
function actorIn(schema: z.ZodMiniType, { userId, name, email }: CallingUser): unknown {
  const { shape, element } = bareDefinitionOf(schema);
  if (element) return [actorIn(element, { userId, name, email } as CallingUser)];
  return shape ? { userId, ...(name !== undefined && { name }), ...(email !== undefined && { email }) } : userId;
}

/** A value of a wrong type is left to the schema. */
function requireUser(value: unknown, user: CallingUser, path: readonly string[]): void {
  if (Array.isArray(value)) for (const entry of value) requireUser(entry, user, path);
  else if (typeof value === "string") requireSame(value, user, path);
  else if (typeof value === "object" && value !== null) {
    const person = value as Fields;
    if (person.userId === undefined || person.userId === null) person.userId = user.userId;
    if (typeof person.userId === "string") requireSame(person.userId, user, path);
    Object.assign(person, { name: user.name, email: user.email });
  }
}

function requireSame(userId: string, user: CallingUser, path: readonly string[]): void {
  if (userId !== user.userId) throw denied(path, "must be the user of the token, or absent");
}

const denied = (path: readonly string[], why: string) =>
  new ApiError("PERMISSION_DENIED", `The field data.${path.join(".")} ${why}.`);

/** The result without what only servers see. It is a copy where it differs. */
export function shown({ reply }: Endpoint, result: unknown): unknown {
  const hidden = marked(reply, "hidden");
  if (hidden.length === 0) return result;
  const copy: unknown = JSON.parse(JSON.stringify(result));
  for (const { path } of hidden) each(copy, path, (holder, name) => void delete holder[name]);
  return copy;
}

/** Calls `act` for each object that has, or could have, the field. */
export function each(value: unknown, path: readonly string[], act: (holder: Fields, name: string) => void): void {
  const [name, ...rest] = path;
  if (name === undefined || typeof value !== "object" || value === null) return;
  if (name === "*") for (const entry of Object.values(value)) each(entry, rest, act);
  else if (rest.length === 0) {
    if (!Array.isArray(value)) act(value as Fields, name);
  } else if (Object.hasOwn(value, name)) each((value as Fields)[name], rest, act);
}
