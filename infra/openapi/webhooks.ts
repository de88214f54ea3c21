// The `webhooks` part of the OpenAPI document: what a webhook endpoint receives.
import { type EventType, eventSchemas, eventTypes } from "../../lib/schema/events.ts";
import { exampleOf } from "./example.ts";
import { type JsonSchema, jsonSchemaOf, object, refTo } from "./json-schema.ts";
import { type Keys, withKeys } from "./operation.ts";

const headers: Record<string, string> = {
  "webhook-id": "The id of the message, the same on every attempt. Use it to skip a message that you have handled.",
  "webhook-timestamp": "Unix time of the attempt, in seconds. Refuse old ones.",
  "webhook-signature":
    "Standard Webhooks: `v1,` and a base64 HMAC-SHA256 of id, timestamp and body for each valid secret, separated by " +
    "spaces.",
  "x-request-id": "The id of the call that caused the event. Absent when no call did.",
};

const pascal = (text: string) => text.replace(/(?:^|[-_.])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The headers of a message as shared parameters, by name. */
export const webhookHeaders: Record<string, object> = Object.fromEntries(
  Object.entries(headers).map(([name, description]) => [
    pascal(name),
    { name, in: "header", required: name.startsWith("webhook-"), description, schema: { type: "string" } },
  ]),
);

const parameters = Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }));
const responses = {
  "2XX": { description: "Received. After any other status, or none within 15 seconds, the delivery is retried." },
  default: { description: "Retried, unless the response has the header `webhook-delivery: abort-message`." },
};

export const eventsTag = {
  name: "Events",
  description:
    "What your webhook endpoints receive. Check the signature with any library for Standard Webhooks, reply with 2xx " +
    "within 15 seconds, and skip a `webhook-id` that you have handled: a message can come twice.",
};

const schemaName = (type: EventType) => `${pascal(type)}Event`;

/** One operation for each event type, by the type. */
export function webhookOperations(keys: Keys | undefined): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type, keys) }]));
}

function operationOf(type: EventType, keys: Keys | undefined): object {
  const example = withKeys(eventExample(type), keys);
  return {
    operationId: `webhook-${type}`,
    tags: [eventsTag.name],
    summary: type,
    description: `Sent to the webhook endpoints that receive \`${type}\`.`,
    security: [],
    parameters,
    requestBody: { required: true, content: { "application/json": { schema: refTo(schemaName(type)), example } } },
    responses,
  };
}

/** What the events of a document are about. */
const ofDocuments =
  /^(?:comment|comment_annotation|crdt|document|location|migration|notification|presence|reaction|recorder)\./;

/** Optional fields that the event is about, and what differs from the other examples. */
const ownExamples: Partial<Record<EventType, object>> = {
  "comment_annotation.priority_change": { priority: "P1" },
  "comment_annotation.status_change": { status: "RESOLVED" },
  "permission.update": { resource: { type: "document", id: "plan" } },
};

function eventExample(type: EventType): object {
  const { event: _event, documentId, ...shared } = envelope.properties ?? {};
  const place = object({ ...shared, ...(documentId && ofDocuments.test(type) && { documentId }) });
  const example = exampleOf({ allOf: [place, ownSchema(type)] }) as { data: object };
  return {
    ...example,
    ...(type.startsWith("webhook_endpoint.") && { organizationId: "" }),
    data: { ...example.data, ...ownExamples[type] },
  };
}

/** The schemas of events and of what they share, by name. */
export function eventSchemasByName(): Record<string, JsonSchema> {
  const own = eventTypes.map((type) => [schemaName(type), { allOf: [refTo("Event"), ownSchema(type)] }] as const);
  return {
    Event: envelope,
    ...Object.fromEntries(own),
  };
}

/** What tells an event of this type from others. */
function ownSchema(type: EventType): JsonSchema {
  const dot = type.lastIndexOf(".");
  return object({
    event: { const: type, description: "The type of the event." },
    actionType: { const: type.slice(dot + 1), description: "The second part of the type." },
    source: { const: type.slice(0, dot), description: "The first part of the type." },
    data: { ...jsonSchemaOf(eventSchemas[type]), description: "What happened, as ids and short values." },
  });
}

const text = (description: string): JsonSchema => ({ type: "string", description });

const envelope: JsonSchema = {
  ...object({
    event: { ...refTo("EventType"), description: "The type of the event." },
    webhookId: text("The id of the message, as in the header webhook-id."),
    workspace: text("The workspace's API key."),
    organizationId: text("The organization. Empty for an event of the workspace itself."),
    createdAt: { ...text("When the event happened: ISO 8601, UTC."), format: "date-time" },
  }),
  description: "What every webhook message has.",
};
envelope.properties = { ...envelope.properties, documentId: text("The document. Only events of a document have it.") };
