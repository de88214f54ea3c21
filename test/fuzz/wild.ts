// Requests made from the schemas of all endpoints, many of them mutated. Nothing is known about their outcome but the
// form of the reply. They go to a workspace of their own.
import * as z from "zod/mini";
import { named } from "../../infra/deployables.ts";
import type { JsonSchema } from "../../infra/openapi/json-schema.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { withValue } from "../support/contract/schema-fields.ts";
import type { Random } from "../support/random.ts";
import type { Request } from "./connection.ts";
import { anyOf } from "./ids.ts";
import type { Seen } from "./seen.ts";
import type { Fields } from "./step.ts";

type Schema = JsonSchema & { minimum?: number; maximum?: number };

/** Ids that the service has made, such as those of webhook endpoints, and addresses that requests may name. */
export interface Surroundings {
  seenIds: readonly Seen[];
  receiver: string;
}

const schemas = new Map<string, Schema>();
function schemaOf({ name, data }: Endpoint): Schema {
  const schema = schemas.get(name) ?? (z.toJSONSchema(data, { io: "input" }) as Schema);
  schemas.set(name, schema);
  return schema;
}

/**
 * Costly calls are rare: a process for each file, a call to a model, and an endpoint that every event is matched to. So
 * are calls after which many others find nothing for a while.
 */
const weights: Record<string, number> = {
  "agents-extract": 0.02,
  "webhook-endpoints-create": 0.05,
  "memory-ask": 0.3,
  "organizations-delete": 0.05,
  "users-data-delete": 0.05,
};
export const weightOf = ({ name }: Endpoint): number => weights[name] ?? 1;

const callable = named.map((each) => [weightOf(each), each] as const);

export const anyEndpoint = (random: Random): Endpoint => random.weighted(callable);

export function dataFor(endpoint: Endpoint, random: Random, surroundings: Surroundings): Fields {
  const data = valueFor(schemaOf(endpoint), "", random, surroundings) as Fields;
  if (endpoint.name === "agents-extract") Object.assign(data, { fileBase64: fileFor(random), mimeType: "text/csv" });
  if (endpoint.name === "crdt-add") Object.assign(data, { type: "text", data: "Hello." });
  return data;
}

/** Few different files: a repeated one returns the earlier run. */
const fileFor = (random: Random) => Buffer.from(`Task\nCheck title ${random.below(9)}\n`).toString("base64");

function valueFor(schema: Schema, name: string, random: Random, surroundings: Surroundings): unknown {
  const inner = (each: Schema, field: string) => valueFor(each, field, random, surroundings);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.from(schema.enum);
  // Beside a type, `anyOf` says which fields go together.
  if (schema.anyOf && !schema.type) return inner(random.from(schema.anyOf), name);
  const type = random.from([schema.type].flat());
  if (type === "string") return textFor(name, random, surroundings);
  if (type === "integer" || type === "number") return numberFor(schema, name, random);
  if (type === "boolean") return random.chance(0.5);
  if (type === "array") {
    const entries = Array.from({ length: 1 + random.below(2) }, () =>
      inner(schema.items ?? {}, name.replace(/s$/, "")),
    );
    return entries;
  }
  if (type !== "object") return random.from(["x", 1, true, null, { a: [] }]);
  const { properties, required = [], additionalProperties } = schema;
  if (!properties) {
    return {
      id: "item",
      ...(typeof additionalProperties === "object" && { name: inner(additionalProperties, "name") }),
    };
  }
  const names = Object.keys(properties).filter((field) => required.includes(field) || isSent(field, random));
  return Object.fromEntries(names.map((field) => [field, inner(properties[field] as Schema, field)]));
}

/** With an id, an addition replaces an earlier one, and the data does not grow for ever. */
const isSent = (field: string, random: Random) => field === "recordId" || (field !== "pageToken" && random.chance(0.5));

const known: Record<string, readonly string[]> = {
  organizationId: ["acme", "acme", "o-2"],
  documentId: ["plan", "roadmap", "d-3"],
  newDocumentId: ["plan", "roadmap", "d-3"],
  folderId: ["plans", "f-2"],
  userId: ["alice", "bob", "carol"],
  createdAt: ["2026-01-31T12:00:00.000Z"],
  updatedAt: ["2026-01-31T12:00:00.000Z"],
  fromEmail: ["", "updates@example.com"],
  botToken: ["", "xoxb-1"],
  filterType: ["user.delete"],
  mimeType: ["text/csv"],
  model: ["gpt-5-mini", "claude-haiku-4-5", "gemini-2.5-pro"],
  email: ["alice@example.com"],
  apiKey: ["{apiKey}"],
  authToken: ["{authToken}"],
  // A Yjs update that writes "Plan. " into a text, and the state vector of an empty document.
  update: ["AQEBAAQBB2NvbnRlbnQGUGxhbi4gAA=="],
  stateVector: ["AA=="],
};
/** Replies also show these as `id`. */
const madeIds = /^(?:id|(?:agent|migration|source|webhook|endpoint|delivery|job|token|authToken)Id)$/;
const urls = ["url", "baseUrl", "permissionProviderUrl"];

function textFor(name: string, random: Random, { seenIds, receiver }: Surroundings): string {
  if (urls.includes(name)) return random.from([receiver, receiver, "https://example.invalid/x"]);
  if (known[name]) return random.from(known[name]);
  const isId = /(?:^id|Id)$/.test(name);
  const seen = isId ? seenIds.filter(({ field }) => field === name || (field === "id" && madeIds.test(name))) : [];
  if (seen.length > 0 && random.chance(0.8)) return random.from(seen).id;
  if (isId) return random.chance(0.2) ? anyOf(random) : `${name}-${random.below(2)}`;
  return random.from([name || "x", "title and discount", "example.com", "1"]);
}

function numberFor({ minimum = 0, maximum = 1e6 }: Schema, name: string, random: Random): number {
  if (name === "expiresAt") return random.from([1, 4_000_000_000]);
  return minimum + random.below(Math.min(maximum - minimum, 1_000) + 1);
}

const hostile: readonly unknown[] = [
  null,
  "",
  " ",
  "x".repeat(70_000),
  "AAAA",
  "🦜".repeat(300),
  "a#b%c/d",
  "__proto__",
  "../../etc/passwd",
  "\u0000",
  "\u202e\ufeff",
  -1,
  0,
  -0,
  1.5,
  1e21,
  Number.MAX_SAFE_INTEGER + 2,
  1e308,
  5e-324,
  [],
  {},
  [[[[[[[[]]]]]]]],
  { toString: "x", constructor: { prototype: {} } },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  "AAAA====",
  "data:;base64,%%%",
  "http://169.254.169.254/latest",
  "http://[::1]:1/",
  "1970-01-01T00:00:00Z",
  "{organizationId}",
  "*.*",
  true,
];

/** Replaces or removes a value at a random place, or adds one. */
export function mutated(data: Fields, random: Random): Fields {
  if (random.chance(0.1)) return { ...data, pageToken: random.from(hostile) };
  const paths: string[][] = [];
  const walk = (value: unknown, path: string[]) => {
    if (path.length > 0) paths.push(path);
    if (value && typeof value === "object")
      for (const [name, each] of Object.entries(value)) walk(each, [...path, name]);
  };
  walk(data, []);
  const path = random.from(paths);
  if (path === undefined || random.chance(0.1)) return { ...data, [anyOf(random)]: random.from(hostile) };
  return withValue(data, path, random.chance(0.15) ? undefined : random.from(hostile));
}

/** Damages the text of the request: a byte, a key twice, a key of a prototype. */
export function damaged(request: Request, random: Random): Request {
  const body = request.body as string;
  const at = random.below(body.length);
  const bodies = [
    `${body.slice(0, at)}${random.from(['"', "{", "]", "\\", "\u0000", "é", "0", ","])}${body.slice(at)}`,
    body.replace('{"data":{', '{"data":{"__proto__":{"isAdmin":true},"constructor":1,'),
    body.replace(/^\{/, '{"data":{},'),
    `\ufeff${body}`,
    ` ${body}\n`,
    body.replace(/"(\w+)":/, '"$1":1,"$1":'),
    body.replace(/:(\d+)/, ":1e400"),
    body.replace(/"([a-z]+)"/, '"$1\\ud800"'),
  ];
  return { ...request, body: random.from(bodies) };
}
