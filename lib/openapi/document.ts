// The OpenAPI document, generated from the declarations of the endpoints. Only infra and tests import this file, so no
// function's bundle contains it.
import * as z from "zod/mini";
import { type ErrorStatus, httpStatus } from "../errors.ts";
import { apiKeyHeader, authTokenHeader } from "../http/auth.ts";
import { type Endpoint, errorsOf, methodsOf } from "../http/endpoint.ts";
import { idempotencyKeyHeader, idempotencyKeyPattern } from "../http/idempotency.ts";
import { ignoredFieldsHeader } from "../http/unknown-fields.ts";
import { exampleOf, type JsonSchema } from "./example.ts";
import { webhookOperations } from "./webhooks.ts";

export interface OpenApi {
  openapi: "3.1.0";
  paths: Record<string, Record<string, Operation>>;
  [field: string]: unknown;
}

export interface Operation {
  operationId: string;
  responses: Record<string, object>;
  [field: string]: unknown;
}

const about = `Every call is a POST with a JSON body \`{"data": {...}}\`, except one GET. A success is
\`{"result": {"status", "message", "data"}}\`, a failure \`{"error": {"status", "message", "details"?}}\`.
API Gateway itself returns 413, 429 and 503 as \`{"message"}\` for requests that do not reach the service.
Each path that begins with /v1 is also served under /v2, and the other way round.
Unknown paths are NOT_FOUND with HTTP 404, wrong methods INVALID_ARGUMENT with HTTP 405.`.replaceAll("\n", " ");

const aboutIgnoredFields =
  "Top-level fields of data that the endpoint does not know and has ignored, separated by commas: at most 10, each " +
  "percent-encoded and cut after 64 characters. Absent when there is none.";

/** The document. It has one operation for each endpoint except the fallback. */
export function openApi(endpoints: readonly Endpoint[], { version }: { version: string }): OpenApi {
  const listed = endpoints.filter(({ group }) => group !== "fallback");
  return {
    openapi: "3.1.0",
    info: { title: "Collaboration backend", version, description: about, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    tags: [...new Set(listed.map(({ group }) => group))].map((name) => ({ name })),
    paths: Object.fromEntries(
      listed.map((each) => {
        const operations = methodsOf(each).map((method) => [method.toLowerCase(), operationOf(each, method)] as const);
        return [each.path, Object.fromEntries(operations)] as const;
      }),
    ),
    webhooks: webhookOperations(),
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: apiKeyHeader },
        authToken: { type: "apiKey", in: "header", name: authTokenHeader },
      },
      headers: {
        RequestId: { description: "The id of this call in the logs of the service.", schema: { type: "string" } },
        IgnoredFields: { description: aboutIgnoredFields, schema: { type: "string", maxLength: 1_024 } },
      },
      schemas: { Issue: issue, GatewayError: object({ message: { type: "string" } }) },
    },
  };
}

function operationOf(declared: Endpoint, method: string): Operation {
  const { name, group, summary, contract, companion, credentials, isWrite, scope } = declared;
  const isForm = declared.method === "FORM";
  return {
    operationId: isForm && method === "GET" ? `${name}-page` : name,
    tags: [group],
    summary,
    description: descriptionOf(declared),
    ...(companion ? { "x-companion": true } : { "x-contract": contract }),
    ...(credentials !== "none" && { "x-scope": scope }),
    security: credentials === "none" ? [] : [{ apiKey: [], authToken: [] }],
    ...(isWrite && { parameters: [idempotencyKey] }),
    ...(method === "GET" || isForm ? { parameters: parametersOf(declared) } : { requestBody: requestOf(declared) }),
    responses: { 200: success(declared), ...failures(declared) },
  };
}

function descriptionOf({ summary, companion, contract, credentials, scope, needs, events }: Endpoint): string {
  return [
    summary,
    companion ? "A companion: an endpoint without a number in the contract." : `Endpoint ${contract} of the contract.`,
    credentials !== "none" && `The auth token needs the scope ${scope}.`,
    needs.length > 0 && `The workspace must have the switch ${needs.join(", ")} on.`,
    events.length > 0 && `Can cause events: ${events.join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function requestOf(endpoint: Endpoint): object {
  const fields = jsonSchemaOf(endpoint.data);
  const schema = object({ data: endpoint.refusesUnknownFields ? { ...fields, additionalProperties: false } : fields });
  return { required: true, content: json(schema, { data: requestExample(endpoint) }) };
}

/** The `data` of the example request. */
export function requestExample({ data, example }: Endpoint): unknown {
  return example ?? exampleOf(jsonSchemaOf(data));
}

const idempotencyKey = {
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

function parametersOf({ data, example = {} }: Endpoint): object[] {
  return Object.entries(jsonSchemaOf(data).properties ?? {}).map(([name, schema]) => ({
    name,
    in: "path",
    required: true,
    schema,
    example: Object(example)[name] ?? exampleOf(schema, name),
  }));
}

function success(endpoint: Endpoint): object {
  const { envelope, reply, message } = endpoint;
  const headers = headersOf(endpoint);
  if (envelope === "bare") {
    const result = object({ status: { const: "success" }, message: { type: "string" } });
    return response("Success.", json(object({ result }), { result: { status: "success", message } }), headers);
  }
  const data = jsonSchemaOf(reply);
  if (envelope === "page") return response("Success.", { "text/html": { schema: data } }, headers);
  const result = object({ status: { const: "success" }, message: { type: "string" }, data });
  const schema = envelope === "raw" ? data : object({ result });
  const sample = exampleOf(data);
  const example = envelope === "raw" ? sample : { result: { status: "success", message, data: sample } };
  return response("Success.", json(schema, example), headers);
}

/** The failures of the endpoint and of API Gateway, by HTTP status. */
function failures(endpoint: Endpoint): Record<string, object> {
  const byHttp = Map.groupBy(errorsOf(endpoint), (status) => httpStatus[status]);
  const gateway = { $ref: "#/components/schemas/GatewayError" };
  const replies: Record<string, object> = {};
  for (const [http, statuses] of byHttp) {
    const schema = failureSchema(statuses, endpoint.failureCode);
    const isShared = http === 429 || http === 503;
    replies[http] = response(
      `${statuses.join(" or ")}.${isShared ? " API Gateway's own reply has the second schema." : ""}`,
      json(isShared ? { anyOf: [schema, gateway] } : schema),
      headersOf(endpoint),
    );
  }
  replies[413] = response("The request is too large for API Gateway.", json(gateway));
  replies[429] ??= response("Too many requests for API Gateway.", json(gateway));
  return replies;
}

function failureSchema(statuses: readonly ErrorStatus[], hasCode: boolean): JsonSchema {
  const issues = { type: "array", items: { $ref: "#/components/schemas/Issue" } };
  const hasIssues = statuses.includes("INVALID_ARGUMENT");
  const status = { type: "string", enum: [...statuses] };
  const error = object({ ...(hasCode && { code: { type: "integer" } }), status, message: { type: "string" } });
  const details = { type: "object", ...(hasIssues && { properties: { issues } }) };
  return object({ error: { ...error, properties: { ...error.properties, details } } });
}

const issue = object({
  code: { type: "string" },
  path: {
    type: "array",
    items: { type: "string" },
    description: "The path to the field. An index in a list is a string too.",
  },
  message: { type: "string" },
});

/** API Gateway's own replies have no headers of ours. */
function response(description: string, content: object, headers?: object): object {
  return { description, ...(headers && { headers }), content };
}

function headersOf({ credentials, refusesUnknownFields }: Endpoint): object {
  const ignores = credentials !== "none" && !refusesUnknownFields;
  return {
    "x-request-id": { $ref: "#/components/headers/RequestId" },
    ...(ignores && { [ignoredFieldsHeader]: { $ref: "#/components/headers/IgnoredFields" } }),
  };
}

function json(schema: object, example?: unknown): object {
  return { "application/json": { schema, ...(example !== undefined && { example }) } };
}

/** An object schema. All properties are required. */
function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** The JSON Schema of the input. It allows further fields: requests ignore them, and replies may get new ones. */
function jsonSchemaOf(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest as JsonSchema;
}
