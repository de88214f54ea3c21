// Gives a description to each field that its schema does not describe (see words/index.ts).
import * as z from "zod/mini";
import { Timestamp } from "../../lib/schema/features.ts";
import { Id, IsoTime, Text, UnixSeconds } from "../../lib/schema/primitives.ts";
import { type JsonSchema, namedSchema } from "./json-schema.ts";
import { words } from "./words/index.ts";

const descriptionOf = (schema: z.ZodMiniType) => z.globalRegistry.get(schema)?.description ?? "";

/** The descriptions of basic types: what follows the meaning of a field. The limits of an id are keywords. */
const basic = new Map([
  [descriptionOf(Id), ""],
  [descriptionOf(IsoTime), ""],
  [descriptionOf(UnixSeconds), ""],
  [descriptionOf(Text), descriptionOf(Text)],
  [descriptionOf(Timestamp), descriptionOf(Timestamp)],
]);

/** `root` names the schema: a component or an operation, see words/index.ts. */
export function described(root: string, schema: JsonSchema): JsonSchema {
  return inside(schema, [root]);
}

function inside(schema: JsonSchema, path: readonly string[]): JsonSchema {
  const { properties, items, additionalProperties, anyOf } = schema;
  const within = (each: JsonSchema) => inside(each, path);
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [
          name,
          inside(fieldOf(field, [...path, name]), [...path, name]),
        ]),
      ),
    }),
    ...(items && { items: within(withoutBasic(items)) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: within(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
  };
}

function fieldOf(field: JsonSchema, path: readonly string[]): JsonSchema {
  const own = field.description;
  const isBasic = own === undefined || basic.has(own);
  if (!isBasic) return field;
  const found = wordsFor(path);
  if (found === undefined) return withOfReference(field);
  return { ...field, description: [found, basic.get(own ?? "")].filter(Boolean).join(" ") };
}

/** Editors show the description beside a reference, and not that of the schema to which it leads. */
function withOfReference({ $ref, ...field }: JsonSchema): JsonSchema {
  const description = $ref && namedSchema($ref.replace(/^.*\//, "")).description;
  return { ...($ref && { $ref }), ...(description && { description }), ...field };
}

/** The entries of a list of ids need no description beside that of the list. */
function withoutBasic({ description, ...items }: JsonSchema): JsonSchema {
  return { ...items, ...(description !== undefined && !basic.has(description) && { description }) };
}

function wordsFor(path: readonly string[]): string | undefined {
  const keys = path.map((_, index) => path.slice(index).join("."));
  // An entry for an operation's field holds for the field at any depth within it.
  const [root, ...rest] = path;
  keys.splice(-1, 0, `${root}.${rest.at(-1)}`);
  const key = keys.find((each) => words[each] !== undefined);
  return key && words[key];
}
