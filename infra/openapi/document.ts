// The OpenAPI document, generated from the declarations of the endpoints. Only infra and tests import this file, so no
// function's bundle contains it.
import { apiKeyHeader, authTokenHeader } from "../../lib/http/auth.ts";
import { type Endpoint, methodsOf } from "../../lib/http/endpoint.ts";
import { failureResponses, failureSchemas } from "./failures.ts";
import { introductionFor } from "./introduction.ts";
import { namedSchemas } from "./json-schema.ts";
import { idempotencyKey, type Keys, type Operation, operationOf, serverKeys, userScheme } from "./operation.ts";
import { inReadingOrder } from "./reading-order.ts";
import { eventSchemasByName, eventsTag, webhookHeaders, webhookOperations } from "./webhooks.ts";

export interface OpenApi {
  openapi: "3.1.0";
  paths: Record<string, Record<string, Operation>>;
  [field: string]: unknown;
}

const aboutUserTokens =
  "A token of auth/generate_token. It opens the operations that say so, for its user alone, if the workspace has the " +
  "switch `browser` on. The user's access is resolved at each call. A page must be served from a domain that " +
  "domains/add has allowed, over https or on localhost. Fields that say who acts are taken from the token.";

const aboutIgnoredFields =
  "Fields in data that the endpoint does not know and has ignored, separated by commas: at most 10, each " +
  "percent-encoded and cut after 64 characters. A field inside of others is a path without positions in lists, such as " +
  "folders.foldername. Absent when there is none.";

interface Options {
  version: string;
  /** The origin of the service, for the first call of the introduction. */
  api: string;
  /** The keys of a workspace in which the examples are to work as they stand. Absent: placeholders. */
  keys?: Keys;
}

/** The document. It has one operation for each method of each endpoint except the fallback, in reading order. */
export function openApi(endpoints: readonly Endpoint[], { version, api, keys }: Options): OpenApi {
  const listed = inReadingOrder(endpoints);
  const groups = listed.flatMap((section) => section.groups);
  const inOrder = groups.flatMap(({ title, endpoints }) => endpoints.map((endpoint) => ({ endpoint, tag: title })));
  return {
    openapi: "3.1.0",
    info: {
      title: "Collaboration backend",
      version,
      summary: "Users and permissions, folders and documents, comments, presence, editors, notifications and webhooks.",
      description: introductionFor(api, keys),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server that serves this document." }],
    security: [serverKeys],
    tags: [...groups.map(({ title, about }) => ({ name: title, description: about })), eventsTag],
    "x-tagGroups": [
      ...listed.map(({ name, groups }) => ({ name, tags: groups.map(({ title }) => title) })),
      { name: "Webhook messages", tags: [eventsTag.name] },
    ],
    paths: Object.fromEntries(
      inOrder.map(({ endpoint, tag }) => {
        const operations = methodsOf(endpoint).map(
          (method) => [method.toLowerCase(), operationOf(endpoint, method, { tag, keys })] as const,
        );
        return [endpoint.path, Object.fromEntries(operations)] as const;
      }),
    ),
    webhooks: webhookOperations(keys),
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: apiKeyHeader, description: "The API key of the workspace." },
        authToken: { type: "apiKey", in: "header", name: authTokenHeader, description: "An auth token. It is secret." },
        [userScheme]: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: aboutUserTokens },
      },
      parameters: { IdempotencyKey: idempotencyKey, ...webhookHeaders },
      headers: {
        RequestId: {
          description: "The id of this call in the logs of the service. Say it when you ask for help.",
          schema: { type: "string" },
        },
        IgnoredFields: { description: aboutIgnoredFields, schema: { type: "string", maxLength: 1_024 } },
        RetryAfter: {
          description: "Seconds after which the call can succeed. Absent when waiting does not help.",
          schema: { type: "integer", format: "int64" },
        },
      },
      responses: failureResponses(inOrder.map(({ endpoint }) => endpoint)),
      schemas: sorted({ ...namedSchemas(), ...failureSchemas, ...eventSchemasByName() }),
    },
  };
}

const sorted = <Value>(values: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
