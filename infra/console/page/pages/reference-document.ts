// What the reference reads of the OpenAPI document.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  [limit: string]: unknown;
}

interface Content {
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { $ref?: string; description: string }>;
  "x-codeSamples"?: { label: string; source: string }[];
}

export interface OpenApi {
  info: { description: string };
  "x-tagGroups": { name: string; tags: string[] }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
}

/** An operation with its place. A message to a webhook endpoint has no path. */
export interface Entry {
  method: string;
  path: string | undefined;
  operation: Operation;
}

/** Whether a user's token opens it. */
export const isForUsers = ({ operation: { security = [] } }: Entry) => security.some((each) => "userToken" in each);

export function entriesOf({ paths, webhooks }: OpenApi): Entry[] {
  const each = (from: OpenApi["paths"], hasPath: boolean) =>
    Object.entries(from).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: hasPath ? path : undefined,
        operation,
      })),
    );
  return [...each(paths, true), ...each(webhooks, false)];
}

/** How much a word in the name of an operation counts beside one in its description. */
const nameWeight = 3;

/** The entries that have all words of a text, the best first. */
export function searched(entries: readonly Entry[], text: string): readonly Entry[] {
  // The singular and the plural of a noun find the same.
  const words = (text.toLowerCase().match(/\S+/g) ?? []).map((word) => word.replace(/(?<=...)(?:y|ies|s)$/, ""));
  const scoreOf = ({ path, operation: { operationId, summary, description, tags } }: Entry) => {
    const name = `${tags} ${summary} ${operationId} ${path}`.toLowerCase();
    const scores = words.map((word) =>
      name.includes(word) ? nameWeight : Number(description.toLowerCase().includes(word)),
    );
    return scores.includes(0) ? -1 : scores.reduce((sum, each) => sum + each, 0);
  };
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry) })).filter(({ score }) => score >= 0);
  return scored.sort((one, other) => other.score - one.score).map(({ entry }) => entry);
}

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

/** The value, or what it refers to. What stands beside the reference wins. */
export function resolved<T extends { $ref?: string }>({ components }: OpenApi, value: T): T {
  const { $ref, ...own } = value;
  if ($ref === undefined) return value;
  const [, , kind = "", name = ""] = $ref.split("/");
  return { ...components[kind]?.[name], ...own } as T;
}

export const jsonOf = ({ content = {} }: Content) => content["application/json"];

export interface SchemaField {
  name: string;
  schema: Schema;
  isRequired?: boolean;
}

/** The fields of an object, of the entries of a list, and of each kind that a value can have. */
export function fieldsOf(document: OpenApi, given: Schema): SchemaField[] {
  const schema = resolved(document, given);
  const { properties = {}, required = [], additionalProperties: others, items, allOf = [], anyOf = [] } = schema;
  const kinds = anyOf.filter((each) => fieldsOf(document, each).length > 0);
  const [only, ...more] = kinds;
  const own = [
    ...allOf.flatMap((each) => fieldsOf(document, each)),
    ...Object.entries(properties).map(([name, each]) => ({ name, schema: each, isRequired: required.includes(name) })),
  ];
  return [
    // Of two declarations of a field, the later one says more.
    ...new Map(own.map((each) => [each.name, each])).values(),
    ...(typeof others === "object" ? [{ name: "any name", schema: others }] : []),
    ...(items ? fieldsOf(document, items) : []),
    ...(only && more.length === 0 ? fieldsOf(document, only) : kinds.map((each) => ({ name: "one of", schema: each }))),
  ];
}

const limits = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"];

/** Such as "list of string, minItems 1, maxItems 10". */
export function typeOf(document: OpenApi, stated: Schema): string {
  if (stated.$ref !== undefined && fieldsOf(document, stated).length > 0) return nameOf(stated.$ref);
  const schema = resolved(document, stated);
  const { const: value, enum: values, anyOf, allOf, items, type = allOf ? "object" : "any" } = schema;
  if (value !== undefined) return JSON.stringify(value);
  if (values) return values.map((each) => JSON.stringify(each)).join(" | ");
  if (anyOf && !schema.properties) return anyOf.map((each) => typeOf(document, each)).join(" | ");
  const types = [type].flat().map((each) => (each === "array" && items ? `list of ${typeOf(document, items)}` : each));
  const given = limits.filter((each) => schema[each] !== undefined).map((each) => `${each} ${schema[each]}`);
  return [types.join(" | "), ...given].join(", ");
}
