// Turns wire schemas into the schemas of the OpenAPI document. A schema with a name becomes a reference to it.
import * as z from "zod/mini";
import { markOf, type UserMark } from "../../lib/schema/for-users.ts";
import { named } from "./components.ts";

/** The part of JSON Schema that wire schemas use. */
export interface JsonSchema {
  type?: string | string[];
  format?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  $ref?: string;
  description?: string;
  /** What follows the description of a field: a limit that no keyword says. */
  limit?: string | undefined;
}

/** Marks the JSON Schema of a schema with a name, until a reference replaces it. */
type Marked = JsonSchema & { "x-name"?: string | undefined };

/** How the document marks fields for calls with a user's token (lib/schema/for-users.ts). */
export const userMarks: Readonly<Record<UserMark, string>> = {
  actor: "x-actor",
  unsent: "x-unsent-by-users",
  hidden: "x-hidden-from-users",
  own: "x-own-name",
};

const aboutMarks: Readonly<Record<UserMark, string>> = {
  actor: "A user's call may leave it out, and cannot name another.",
  unsent: "Only servers send it.",
  hidden: "Only servers send and see it.",
  own: "A user's call gives another person none.",
};

const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));

function nameOf(schema: z.core.$ZodType | undefined): string | undefined {
  return schema && (names.get(schema as z.ZodMiniType) ?? nameOf(schema._zod.parent));
}

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The JSON Schema of the input. It allows further fields: requests ignore them, and replies may get new ones. */
export const jsonSchemaOf = (schema: z.ZodMiniType): JsonSchema => withReferences(marked(schema));

/** The named schemas, by name. */
export function namedSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(Object.keys(named).map((name) => [name, namedSchema(name)]));
}

const known = new Map<string, JsonSchema>();

/** The named schema. Throws for an unknown name. */
export function namedSchema(name: string): JsonSchema {
  const schema =
    known.get(name) ?? amended(name, withReferences({ ...marked(named[name] as z.ZodMiniType), "x-name": undefined }));
  known.set(name, schema);
  return schema;
}

/** Types of events are texts, so that a request can have one of a later version. Readers want to see the known ones. */
function amended(name: string, { description, ...schema }: JsonSchema): JsonSchema {
  const type = refTo("EventType");
  if (name === "EventTypeName") return { anyOf: [type, schema], ...(description && { description }) };
  const propertyNames = { anyOf: [type, { type: "string" }] };
  return { ...schema, ...(name === "EventTriggers" && { propertyNames }), ...(description && { description }) };
}

function marked(schema: z.ZodMiniType): Marked {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    override({ zodSchema, jsonSchema }) {
      const name = nameOf(zodSchema);
      if (name !== undefined) jsonSchema["x-name"] = name;
      const mark = markOf(zodSchema);
      if (!mark) return;
      jsonSchema[userMarks[mark]] = true;
      jsonSchema.description = `${jsonSchema.description} ${aboutMarks[mark]}`;
    },
  });
  return rest as Marked;
}

/** Beside a reference stands only what differs from the named schema, such as a description. */
function withReferences({ "x-name": name, ...schema }: Marked): JsonSchema {
  const plain = tidy(schema);
  if (name === undefined) return plain;
  const target = namedSchema(name) as unknown as Record<string, unknown>;
  const own = Object.entries(plain).filter(([key, value]) => JSON.stringify(target[key]) !== JSON.stringify(value));
  return { ...refTo(name), ...Object.fromEntries(own) };
}

/** Editors show the description beside a reference, and not that of the schema to which it leads. */
function fieldOf(schema: Marked): JsonSchema {
  const { $ref, ...field } = withReferences(schema);
  const description = $ref && namedSchema($ref.replace(/^.*\//, "")).description;
  return { ...($ref && { $ref }), ...(description && { description }), ...field };
}

/** A length of the field itself is a smaller limit. */
const limitOf = ({ limit, maxLength }: JsonSchema) => (maxLength === undefined ? limit : undefined);

function tidy({
  properties,
  items,
  additionalProperties,
  propertyNames,
  anyOf,
  limit,
  ...schema
}: JsonSchema): JsonSchema {
  const nullable = (schema.description && isNull(anyOf?.[1]) && anyOf?.[0]) || {};
  const limitOfType = limitOf({ ...schema, limit }) ?? limitOf(nullable);
  const description = [schema.description, limitOfType].filter(Boolean).join(" ");
  const isOpen = typeof additionalProperties === "object" && Object.keys(additionalProperties).length === 0;
  const isBare = schema.type === "object" && !properties && additionalProperties === undefined && !anyOf;
  const isAnyText = JSON.stringify(propertyNames) === '{"type":"string"}';
  return {
    ...(anyOf && orNull(anyOf.map(withReferences))),
    ...withoutIntegerBounds(schema),
    ...(description && { description }),
    ...(properties && { properties: mapValues(withoutForbidden(properties), fieldOf) }),
    ...(items && { items: withReferences(items) }),
    ...(propertyNames && !isAnyText && { propertyNames: withReferences(propertyNames) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        isOpen || typeof additionalProperties === "boolean"
          ? isOpen || additionalProperties
          : withReferences(additionalProperties),
    }),
    ...(isBare && { additionalProperties: true }),
  };
}

const isNull = (schema: JsonSchema | undefined) => schema?.type === "null";

/** A type or null, and its description, which zod leaves with the type. */
function orNull(anyOf: JsonSchema[]): JsonSchema {
  const [one, none] = anyOf;
  if (anyOf.length !== 2 || !isNull(none) || !one?.type) return { anyOf };
  return { ...one, type: [one.type, "null"].flat(), ...(one.enum && { enum: [...one.enum, null] }) };
}

/** No value fits a field with `not: {}`. So a request cannot have it. */
const withoutForbidden = (properties: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(properties).filter(([, { not }]) => not === undefined));

/** zod states the bounds of JavaScript's safe integers, which a reader knows from the format. */
function withoutIntegerBounds({ minimum, maximum, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...([schema.type].flat().includes("integer") && { format: "int64" }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

export function mapValues<Value, Result>(values: Record<string, Value>, map: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

/** An object schema. All properties are required. */
export function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}
