// The `webhooks` part of the OpenAPI document: what a webhook endpoint receives.
import * as z from "zod/mini";
import { type EventType, eventSchemas, eventTypes } from "../schema/events.ts";
import { exampleOf, type JsonSchema } from "./example.ts";

const headers: Record<string, string> = {
  "webhook-id": "The id of the message, the same on every attempt.",
  "webhook-timestamp": "Unix time of the attempt, in seconds.",
  "webhook-signature": "Standard Webhooks: `v1,` and a base64 HMAC-SHA256 per valid secret, separated by spaces.",
  "x-request-id": "The id of the call that caused the event. Absent when no call did.",
};

const text = (description: string): JsonSchema => ({ type: "string", description });

/** One operation for each event type, by the type. */
export function webhookOperations(): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]));
}

function operationOf(type: EventType): object {
  const schema = bodySchema(type);
  const parameters = Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    required: name.startsWith("webhook-"),
    description,
    schema: { type: "string" },
  }));
  return {
    operationId: `webhook-${type}`,
    summary: `Sent to the advanced webhook endpoints that receive ${type}.`,
    parameters,
    requestBody: { required: true, content: { "application/json": { schema, example: exampleOf(schema) } } },
    responses: {
      "2XX": { description: "Received. After any other status, or none within 15 seconds, the delivery is retried." },
      default: { description: "Retried, unless the response has the header `webhook-delivery: abort-message`." },
    },
  };
}

function bodySchema(type: EventType): JsonSchema {
  const { $schema: _dialect, ...data } = z.toJSONSchema(eventSchemas[type], { io: "input" });
  const dot = type.lastIndexOf(".");
  const required: Record<string, JsonSchema> = {
    event: { const: type },
    actionType: { const: type.slice(dot + 1) },
    source: { const: type.slice(0, dot) },
    webhookId: text("The header webhook-id."),
    workspace: text("The workspace's API key."),
    organizationId: text("Empty for an event of the workspace itself."),
    createdAt: text("ISO 8601."),
    data: data as JsonSchema,
  };
  const properties = { ...required, documentId: text("Present for an event of a document.") };
  return { type: "object", properties, required: Object.keys(required) };
}
