// The OpenAPI operation of an endpoint.
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { idempotencyKeyHeader, idempotencyKeyPattern } from "../../lib/http/idempotency.ts";
import { fieldNames } from "../../lib/http/schema-fields.ts";
import { ignoredFieldsHeader } from "../../lib/http/unknown-fields.ts";
import { exampleOf } from "./example.ts";
import examples from "./examples.json" with { type: "json" };
import { failuresOf } from "./failures.ts";
import { type JsonSchema, jsonSchemaOf, object } from "./json-schema.ts";

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  responses: Record<string, object>;
  [field: string]: unknown;
}

/** Of a workspace, for examples that work there as they stand. */
export interface Keys {
  apiKey: string;
  authToken: string;
}

export const serverKeys = { apiKey: [], authToken: [] };
/** The security scheme of a user's token. An operation that a token opens names it. */
export const userScheme = "userToken";

interface Placing {
  tag: string;
  keys: Keys | undefined;
}

export function operationOf(declared: Endpoint, method: string, { tag, keys }: Placing): Operation {
  const { name, summary, contract, companion, credentials, isWrite, scope, users } = declared;
  const isForm = declared.method === "FORM";
  const isPage = isForm && method === "GET";
  return {
    operationId: isPage ? `${name}-page` : name,
    tags: [tag],
    summary: isPage ? `${summary}: the page` : summary,
    description: descriptionOf(declared),
    ...(companion ? { "x-companion": true } : { "x-contract": contract }),
    ...(credentials === "none" ? { security: [] } : { "x-scope": scope }),
    ...(users && { security: [serverKeys, { [userScheme]: [] }] }),
    ...(isWrite && { parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }] }),
    ...(method === "GET" || isForm
      ? { parameters: parametersOf(declared, keys) }
      : { requestBody: requestOf(declared, keys) }),
    responses: { 200: success(declared, keys), ...failuresOf(declared) },
  };
}

const rolesFor = { view: "viewer or editor", edit: "editor" };

/** What a user's token opens. */
function aboutUsers({ users, data }: Endpoint): string | undefined {
  if (!users) return undefined;
  const namesDocuments = fieldNames(data).some((name) => /^documentIds?$/.test(name));
  if (users === "self") return "A user's token opens it too, for what concerns the user.";
  if (!namesDocuments) return "A user's token opens it too, for a user of the organization.";
  return `A user's token opens it too, with the role ${rolesFor[users]} on each document that the call names.`;
}

function descriptionOf(declared: Endpoint): string {
  const { summary, description = `${summary}.`, credentials, scope, needs, events } = declared;
  const facts = [
    credentials !== "none" && `The auth token needs the scope \`${scope}\`.`,
    aboutUsers(declared),
    needs.length > 0 && `The workspace must have the switch \`${needs.join("`, `")}\` on.`,
    events.length > 0 &&
      `Can cause the ${events.length > 1 ? "events" : "event"} ${events.map((event) => `\`${event}\``).join(", ")}.`,
  ];
  return [description, facts.filter(Boolean).join(" ")].filter(Boolean).join("\n\n");
}

function requestOf(endpoint: Endpoint, keys: Keys | undefined): object {
  const data = {
    description: "The fields of the call.",
    ...jsonSchemaOf(endpoint.data),
    ...(endpoint.refusesUnknownFields && { additionalProperties: false }),
  };
  return { required: true, content: json(object({ data }), { data: withKeys(requestExample(endpoint), keys) }) };
}

/** The `data` of the example request. */
export function requestExample({ data, example }: Endpoint): unknown {
  return example ?? exampleOf(jsonSchemaOf(data));
}

export const idempotencyKey = {
  name: idempotencyKeyHeader,
  in: "header",
  required: false,
  description:
    "Makes the call safe to retry. For 24 hours, the same key with the same data returns the first final reply, with " +
    "the header idempotent-replayed; with other data it returns ABORTED. A failure is stored too if it is final. " +
    "ABORTED, RESOURCE_EXHAUSTED, UNAVAILABLE, DEADLINE_EXCEEDED and an unexpected INTERNAL are not final: after " +
    "them, the same key runs the call again. A call that is refused before it runs stores nothing.",
  schema: { type: "string", pattern: idempotencyKeyPattern },
};

function parametersOf({ data, example = {} }: Endpoint, keys: Keys | undefined): object[] {
  return Object.entries(jsonSchemaOf(data).properties ?? {}).map(([field, { description, ...schema }]) => ({
    name: field,
    in: "path",
    required: true,
    description,
    schema,
    example: withKeys(Object(example)[field] ?? exampleOf(schema, field), keys),
  }));
}

function success(endpoint: Endpoint, keys: Keys | undefined): object {
  const { envelope, reply } = endpoint;
  const headers = headersOf(endpoint);
  const status: JsonSchema = { const: "success", description: "Always success: a failure has another shape." };
  const texts = { status, message: { type: "string", description: "What the call did, for a developer." } };
  if (envelope === "bare") {
    const result = { ...object(texts), description: "The result of the call." };
    return response("Success.", json(object({ result }), replyExample(endpoint, undefined)), headers);
  }
  const data = { ...aboutData(endpoint), ...jsonSchemaOf(reply) };
  if (envelope === "page") return response("A page of HTML.", { "text/html": { schema: data } }, headers);
  const result = { ...object({ ...texts, data }), description: "The result of the call." };
  const schema = envelope === "raw" ? data : object({ result });
  return response("Success.", json(schema, withKeys(replyExample(endpoint, data), keys)), headers);
}

/** The recorded reply to the example request. An endpoint that has none yet gets a generated one. */
function replyExample({ name, envelope, message }: Endpoint, schema: JsonSchema | undefined): unknown {
  const recorded = (examples as Record<string, unknown>)[name];
  if (recorded) return recorded;
  const data = schema && exampleOf(schema);
  return envelope === "raw" ? data : { result: { status: "success", message, ...(schema && { data }) } };
}

/** The example with the keys in place of their placeholders. */
export function withKeys(example: unknown, keys: Keys | undefined): unknown {
  if (!keys) return example;
  const { apiKey, authToken } = keys;
  const text = JSON.stringify(example).replaceAll("{apiKey}", apiKey).replaceAll("{authToken}", authToken);
  return JSON.parse(text);
}

/** What the data of a reply is, unless its schema says it. */
function aboutData({ reply, envelope }: Endpoint): { description?: string } {
  const { type } = reply._zod.def;
  if (envelope === "raw") return {};
  if (type === "record") return { description: "A result for each item of the request, by its id." };
  return { description: type === "null" ? "Always null." : "What the call returns." };
}

const response = (description: string, content: object, headers: object) => ({ description, headers, content });

function headersOf({ credentials }: Endpoint): object {
  const ignores = credentials !== "none";
  return {
    "x-request-id": { $ref: "#/components/headers/RequestId" },
    ...(ignores && { [ignoredFieldsHeader]: { $ref: "#/components/headers/IgnoredFields" } }),
  };
}

const json = (schema: object, example: unknown) => ({ "application/json": { schema, example } });
