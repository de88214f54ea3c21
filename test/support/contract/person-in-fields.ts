// A request that names a person in every field that can: made from its schema, so that a new field is filled too.
import type * as z from "zod/mini";
import { requestExample } from "../../../infra/openapi/operation.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { NamedPerson, Person, RealPerson } from "../../../lib/schema/person.ts";
import { Text } from "../../../lib/schema/primitives.ts";
import { type Credentials, call } from "../call.ts";
import { issuesOf } from "../refusal.ts";
import { isIdSchema, valueAt, withValue } from "./schema-fields.ts";

/** What a field says of the person. Each has a word that occurs nowhere else. */
export const words = { person: "zoeperson", text: "zoetext", ids: "zoeids", fields: "zoefields" } as const;
export type Word = keyof typeof words;

export const zoe = { userId: words.person, name: `Name of ${words.person}`, email: `${words.person}@example.com` };

export interface Owner {
  userId: string;
  name: string;
}

/** Fields whose user did what is stored, or has it. */
const owners = /^(?:from|actionUser)$/;
const userIds = /userIds?$/i;

/** A client's own fields: the person as an object, at any depth, and in words. */
const ownFields = {
  ...zoe,
  note: words.fields,
  ownerUserId: zoe.userId,
  userIds: [zoe.userId, "other"],
  deep: { owner: { ...zoe, avatar: words.fields }, watchers: [zoe, { userId: "other" }] },
};

type Definition = {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  catchall?: z.ZodMiniType;
  options?: z.ZodMiniType[];
};

const isA = (schema: z.core.$ZodType, wanted: z.core.$ZodType): boolean =>
  schema === wanted || (schema._zod.parent !== undefined && isA(schema._zod.parent, wanted));

const isPerson = (schema: z.core.$ZodType) => [Person, NamedPerson, RealPerson].some((each) => isA(schema, each));

/**
 * The value of a field with the person in it. `value`: that of the example. `owner`: who did what is stored. `story`
 * makes the ids differ from those of other requests.
 */
export function withPerson(
  schema: z.ZodMiniType,
  value: unknown,
  { owner, story }: { owner: Owner; story: string },
  name = "",
): unknown {
  const { type, shape, element, innerType, catchall, options } = schema._zod.def as unknown as Definition;
  const inner = (field: z.ZodMiniType, each: unknown, key: string) => withPerson(field, each, { owner, story }, key);
  if (innerType) return inner(innerType, value, name);
  if (isPerson(schema)) return owners.test(name) ? owner : zoe;
  if (options?.some(isPerson)) return zoe;
  if (shape) {
    const given = (value ?? {}) as Record<string, unknown>;
    const known = Object.entries(shape).map(([key, field]) => [key, inner(field, given[key], key)] as const);
    const more = catchall ? (catchall._zod.def.type === "unknown" ? { ...ownFields } : { note: words.text }) : {};
    const filled = { ...given, ...more, ...Object.fromEntries(known.filter(([, each]) => each !== undefined)) };
    return Object.keys(filled).length > 0 ? filled : value;
  }
  if (element && isPerson(element)) return [zoe, { userId: "bob", name: words.text }];
  if (element) {
    const entries =
      value === undefined
        ? [inner(element, undefined, name)]
        : (value as unknown[]).map((each) => inner(element, each, name));
    return entries.every((each) => each === undefined) ? value : entries;
  }
  if (type === "record" || type === "unknown") return ownObject(value, story, name);
  if (type !== "string") return value;
  if (userIds.test(name)) return value === undefined || value === "alice" ? owner.userId : value;
  if (isIdSchema(schema) || /Ids?$/.test(name)) return value && `${words.ids}_${story}_${value}`;
  return isA(schema, Text) ? words.text : value;
}

/** Only the fields that identify the object stay. */
function ownObject(value: unknown, story: string, name: string): unknown {
  if (typeof value === "string") return words.text;
  if (name === "access") return { team: words.fields };
  const { id, ...others } = (value ?? {}) as { id?: string };
  return { ...others, ...(id && { id: `${words.ids}_${story}_${id}` }), ...ownFields };
}

/** Sends the example with the person in each field, except in those that are refused. Returns whether it was accepted. */
export async function sendWithPerson(
  endpoint: Endpoint,
  as: Credentials,
  given: { owner: Owner; story: string },
): Promise<boolean> {
  const example = requestExample(endpoint) as Record<string, unknown>;
  let data = withPerson(endpoint.data, example, given) as Record<string, unknown>;
  for (let round = 0; round < 10; round++) {
    const reply = await call(endpoint, { as, data });
    if (reply.status === 200) return true;
    for (const { path } of issuesOf(reply)) data = withValue(data, path, valueAt(example, path));
  }
  return false;
}
