// Replaces secrets in what the browser gets: fields whose schema names a secret, and secrets anywhere in a text.
import * as z from "zod/mini";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import type { JsonSchema } from "../../openapi/json-schema.ts";

export const mask = "••••••••";

/** Fields that carry a credential, in requests and in replies. */
const secretFields = new Set(["apiKey", "authToken", "botToken", "secret", "token"]);

/** Secrets of this service and of Slack, wherever they stand. An id can begin as an auth token does. */
const secretTexts = /\b(?:whsec_[\w+/=-]{8,}|at_[\w-]{43}(?![\w-])|xox[a-z]-[\w-]{8,})/g;

/** A value that the browser does not get. */
export interface Found {
  field: string;
  value: string;
}

/** The data of a reply without secrets. `found` gets those of declared fields. */
export function maskedData(data: unknown, { reply }: Pick<Endpoint, "reply">, found: (secret: Found) => void): unknown {
  const schema = schemaOf(reply);
  return withoutFields(data, schema, { named: schema.$defs ?? {}, found });
}

/** The text without the secrets of the process, and without what looks like a secret. */
export function maskedText(text: string, secrets: readonly string[]): string {
  return withoutSecrets(text, secrets).replaceAll(secretTexts, mask);
}

/** Also of JSON and of a URL: no secret has a character that either would escape. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) masked = masked.replaceAll(secret, mask);
  return masked;
}

type Named = Record<string, JsonSchema>;

const schemas = new WeakMap<z.ZodMiniType, JsonSchema & { $defs?: Named }>();

function schemaOf(reply: z.ZodMiniType): JsonSchema & { $defs?: Named } {
  const schema = schemas.get(reply) ?? (z.toJSONSchema(reply, { io: "input", unrepresentable: "any" }) as JsonSchema);
  schemas.set(reply, schema);
  return schema;
}

interface Search {
  /** Schemas that others refer to. */
  named: Named;
  found(secret: Found): void;
}

function withoutFields(value: unknown, schema: JsonSchema | undefined, search: Search): unknown {
  if (typeof value !== "object" || value === null || !schema) return value;
  const shapes = [schema, ...(schema.anyOf ?? [])].map(
    (each) => search.named[each.$ref?.split("/").at(-1) ?? ""] ?? each,
  );
  if (Array.isArray(value)) {
    const items = shapes.find((each) => each.items)?.items;
    return value.map((each) => withoutFields(each, items, search));
  }
  const entries = Object.entries(value).map(([field, inner]) => {
    // Free-form data can have any fields. It is the workspace's own, and stays as it is.
    const declared = shapes.map(({ properties }) => properties?.[field]).find(Boolean);
    const further = shapes.map((each) => each.additionalProperties).find((each) => typeof each === "object");
    const isSecret = declared !== undefined && secretFields.has(field) && typeof inner === "string" && inner !== "";
    if (!isSecret) return [field, withoutFields(inner, declared ?? further, search)];
    search.found({ field, value: inner });
    return [field, mask];
  });
  return Object.fromEntries(entries);
}
