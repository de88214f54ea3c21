// Failures in the OpenAPI document. Each endpoint refers to shared responses: one for each set of statuses that some
// endpoint has under one HTTP status.
import { type ErrorStatus, httpStatus } from "../../lib/errors.ts";
import { type Endpoint, errorsOf } from "../../lib/http/endpoint.ts";
import { ignoredFieldsHeader } from "../../lib/http/unknown-fields.ts";
import { type JsonSchema, object, refTo } from "./json-schema.ts";

interface Meaning {
  means: string;
  todo: string;
  /** A message as the service returns it. */
  message: string;
}

/** What each status means, and what its caller can do. */
export const meanings: Record<ErrorStatus, Meaning> = {
  INVALID_ARGUMENT: {
    means: "The request has invalid fields, names an unknown organization, or has no valid JSON.",
    todo: "Correct the fields in `details.issues`. The same request fails again.",
    message: "organizationId: Is required.",
  },
  FAILED_PRECONDITION: {
    means: "The workspace or the item is in a state that does not allow the call.",
    todo: "Do first what the message says, such as turning on a switch.",
    message:
      'The switch advancedWebhooks is off for this workspace. Call /v2/workspace/advancedwebhookconfig/update with {"data": {"isEnabled": true}}.',
  },
  PERMISSION_DENIED: {
    means:
      "The credentials are missing or wrong, or the auth token lacks the scope. HTTP 401: the user's token is not valid.",
    todo: "Check both headers, and the scope of the endpoint. HTTP 401: get a new token.",
    message: "This call needs the scope write. The token of the header x-service-auth-token lacks it.",
  },
  NOT_FOUND: {
    means: "Something that the request names does not exist, or the path is unknown.",
    todo: "Check the ids and the path.",
    message: "The document does not exist.",
  },
  ALREADY_EXISTS: {
    means: "The id is taken.",
    todo: "Use another id, or update what exists.",
    message: "The editor already exists.",
  },
  ABORTED: {
    means: "Something that the request names is being deleted or erased, or the Idempotency-Key is in use.",
    todo: "Wait for the seconds in the header `retry-after`. Without it, the message says what to wait for or to change.",
    message: "The Idempotency-Key was used for another request.",
  },
  RESOURCE_EXHAUSTED: {
    means: "A limit is reached.",
    todo: "Wait for the seconds in the header `retry-after`. Without it, the message says what to change.",
    message: "The workspace makes more than 1000 calls a second, or too many run at once. Try again after 1 s.",
  },
  INTERNAL: {
    means: "Something went wrong on the side of the service.",
    todo: "Try again, then report the `x-request-id`.",
    message: "Something went wrong on our side. Request id: 3f2c8a1e-5b7d-4c9e-8f10-2a6b4d8c0e12.",
  },
  UNAVAILABLE: {
    means: "The service, or one that it needs, does not work now.",
    todo: "Try again later.",
    message: "The service is busy. Try again.",
  },
  DEADLINE_EXCEEDED: {
    means: "The call took too long. It may have had its effect.",
    todo: "Try again with the same Idempotency-Key.",
    message: "The call did not finish in time. Try again.",
  },
};

const order = Object.keys(httpStatus) as ErrorStatus[];

/** The responses to the failures of an endpoint and of API Gateway, as references by HTTP status. */
export function failuresOf(endpoint: Endpoint): Record<string, object> {
  const names = Object.entries(setsOf(endpoint)).map(([http, statuses]) => [http, nameOf(http, statuses)] as const);
  return Object.fromEntries(names.map(([http, name]) => [http, { $ref: `#/components/responses/${name}` }]));
}

/** All responses that `failuresOf` refers to, by name. */
export function failureResponses(endpoints: readonly Endpoint[]): Record<string, object> {
  const sets = endpoints.flatMap((endpoint) => Object.entries(setsOf(endpoint)));
  sort(sets);
  return Object.fromEntries(sets.map(([http, statuses]) => [nameOf(http, statuses), responseTo(http, statuses)]));
}

function sort(sets: [http: string, statuses: ErrorStatus[]][]): void {
  sets.sort(([one, statuses], [other, others]) => Number(one) - Number(other) || statuses.length - others.length);
}

/** The statuses of an endpoint by HTTP status. API Gateway's own failures have none. */
function setsOf(endpoint: Endpoint): Record<string, ErrorStatus[]> {
  const declared = errorsOf(endpoint);
  const statuses = order.filter((status) => declared.includes(status));
  const ofUsers = endpoint.users === undefined ? {} : { 401: ["PERMISSION_DENIED" as const] };
  return { 413: [], 429: [], ...ofUsers, ...Object.fromEntries(Map.groupBy(statuses, (status) => httpStatus[status])) };
}

const gatewayNames: Record<string, string> = { 413: "RequestTooLarge", 429: "TooManyRequests" };

const nameOf = (http: string, statuses: readonly ErrorStatus[]): string =>
  statuses.map(pascal).join("Or") || (gatewayNames[http] as string);

const pascal = (status: string) =>
  status
    .toLowerCase()
    .split("_")
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join("");

function responseTo(http: string, statuses: readonly ErrorStatus[]): object {
  const gateway = refTo("GatewayFailure");
  if (statuses.length === 0) {
    const description =
      http === "413" ? "The request is too large for API Gateway." : "Too many requests for API Gateway.";
    const message = http === "413" ? "Request Entity Too Large" : "Too Many Requests";
    return { description, content: { "application/json": { schema: gateway, example: { message } } } };
  }
  const own = failureWith(statuses);
  const isShared = http === "429" || http === "503";
  const texts = statuses.map((status) => `${status}: ${meanings[status].means} ${meanings[status].todo}`);
  const description = [...texts, ...(isShared ? ['API Gateway\'s own reply is `{"message"}`.'] : [])].join("\n\n");
  const schema = isShared ? { anyOf: [own, gateway] } : own;
  const examples = Object.fromEntries(statuses.map((status) => [status, { value: exampleOf(status) }]));
  return { description, headers: headersOf(statuses), content: { "application/json": { schema, examples } } };
}

function exampleOf(status: ErrorStatus): object {
  const { message } = meanings[status];
  const [field = "", text] = message.split(": ");
  const details = { issues: [{ code: "invalid_type", path: [field], message: text }] };
  return { error: { status, message, ...(status === "INVALID_ARGUMENT" && { details }) } };
}

const canSayWhen: readonly ErrorStatus[] = ["RESOURCE_EXHAUSTED", "ABORTED"];

function headersOf(statuses: readonly ErrorStatus[]): object {
  return {
    "x-request-id": { $ref: "#/components/headers/RequestId" },
    [ignoredFieldsHeader]: { $ref: "#/components/headers/IgnoredFields" },
    ...(statuses.some((status) => canSayWhen.includes(status)) && {
      "retry-after": { $ref: "#/components/headers/RetryAfter" },
    }),
  };
}

/** A failure that has one of the statuses. */
function failureWith(statuses: readonly ErrorStatus[]): JsonSchema {
  const status: JsonSchema = { type: "string", enum: [...statuses], description: "Which failure it is." };
  return object({ error: { allOf: [refTo("Failure"), object({ status })], description: "The failure." } });
}

const failure: JsonSchema = {
  type: "object",
  properties: {
    status: { ...refTo("ErrorStatus"), description: "What kind of failure it is. Decide by it." },
    message: { type: "string", description: "What is wrong, for a developer." },
    code: { type: "integer", format: "int32", description: "The HTTP status. Only users/data/get sends it." },
    details: {
      type: "object",
      properties: {
        issues: {
          type: "array",
          items: refTo("Issue"),
          description: "With INVALID_ARGUMENT: every invalid field, at most 1,001.",
        },
      },
      additionalProperties: true,
      description: "More about the failure. Its other fields depend on the endpoint.",
    },
  },
  required: ["status", "message"],
  description: "The `error` of every failed call.",
};

/** The schemas of failures, by name. */
export const failureSchemas: Record<string, JsonSchema> = {
  ErrorStatus: {
    type: "string",
    enum: order,
    description: "Which failure it is. The text of a message can change, the status does not.",
  },
  Failure: failure,
  Issue: {
    ...object({
      code: {
        type: "string",
        description: "The kind of the problem, such as invalid_type, too_big or custom, in the words of zod.",
      },
      path: {
        type: "array",
        items: { type: "string" },
        description: "The path to the field within `data`. An index in a list is a string too.",
      },
      message: { type: "string", description: "What is wrong with the field, for a developer." },
    }),
    description: "A field that is invalid.",
  },
  GatewayFailure: {
    ...object({ message: { type: "string", description: "The text of API Gateway." } }),
    description: "What API Gateway returns to a request that does not reach the service.",
  },
};
