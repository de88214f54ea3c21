// Turns a good request into one that must be refused, and says with which outcomes.
import { gzipSync } from "node:zlib";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { type Field, fieldsOf, valueAt, withValue } from "../support/contract/schema-fields.ts";
import type { Random } from "../support/random.ts";
import type { Request } from "./connection.ts";
import { endpointNamed } from "./envelope.ts";
import type { Fields } from "./step.ts";

export interface Broken {
  request: Request;
  /** The endpoint that replies. */
  endpoint: Endpoint;
  outcomes: readonly string[];
}

export interface Good {
  endpoint: Endpoint;
  data: Fields;
  request: Request;
}

export interface Foreign {
  authToken: string;
  pageTokens: readonly string[];
}

const invalid = ["INVALID_ARGUMENT"] as const;
const denied = ["PERMISSION_DENIED"] as const;
const json = (data: unknown) => JSON.stringify({ data });
const asObject = (request: Request) => JSON.parse(request.body as string).data as Fields;

type Breaker = (good: Good, random: Random, foreign: Foreign) => Broken | undefined;

const withBody = ({ endpoint, request }: Good, body: string | Buffer, headers: Record<string, string> = {}): Broken => {
  return { endpoint, outcomes: invalid, request: { ...request, body, headers: { ...request.headers, ...headers } } };
};
const withData = (good: Good, data: unknown): Broken => withBody(good, json(data));

/** The request with raw JSON as a further field. */
const withRaw = (good: Good, raw: string): Broken =>
  withBody(good, (good.request.body as string).replace('{"data":{', `{"data":{"more":${raw},`).replace(",}", "}"));

const knownFields = new Map<string, Field[]>();
function fields({ name, data }: Endpoint): Field[] {
  const found = knownFields.get(name) ?? fieldsOf(data);
  knownFields.set(name, found);
  return found;
}

const badIds = ["", "x".repeat(257), "😀".repeat(257), "a\0b", "a\nb", "a\u007f", "\u0085a", "a\ud800"];

function withField(good: Good, random: Random, isFit: (field: Field) => boolean, of: (field: Field) => unknown) {
  const fitting = fields(good.endpoint).filter(isFit);
  if (fitting.length === 0) return undefined;
  const field = random.from(fitting);
  return withData(good, withValue(asObject(good.request), field.path, of(field)));
}

const breakers: readonly (readonly [weight: number, breaker: Breaker])[] = [
  [2, (good, random) => withBody(good, (good.request.body as string).slice(0, -1 - random.below(9)))],
  [1, (good) => withBody(good, JSON.stringify(good.data))],
  [
    1,
    (good, random) =>
      withBody(good, random.from(["", " ", "[]", "null", '"data"', "1", '{"data":[]}', '{"data":null}'])),
  ],
  [
    1,
    (good, random) =>
      withBody(good, good.request.body, { "content-type": random.from(["text/plain", "application/jsonp"]) }),
  ],
  [1, (good) => withBody(good, Buffer.from(`{"data":{"a":"\xff"}}`, "latin1"))],
  [1, (good) => withBody(good, good.request.body, { "content-encoding": "gzip" })],
  [0.5, (good) => withBody(good, gzipSync(good.request.body).subarray(0, -9), { "content-encoding": "gzip" })],
  [1, (good) => withRaw(good, '"a\\ud800"')],
  [0.5, (good) => withRaw(good, "[".repeat(1_000) + "]".repeat(1_000))],
  [
    8,
    (good, random) =>
      withField(
        good,
        random,
        ({ wrong }) => wrong.length > 0,
        ({ wrong }) => random.from(wrong),
      ),
  ],
  [
    3,
    (good, random) =>
      withField(
        good,
        random,
        ({ isId }) => isId,
        () => random.from(badIds),
      ),
  ],
  [
    2,
    (good, random) =>
      withField(
        good,
        random,
        ({ path, isRequired }) => isRequired && path.length === 1,
        () => undefined,
      ),
  ],
  [0.1, tooMany],
  [2, (good, random, foreign) => badCredentials(good, random, foreign)],
  [1, unknownField],
  [1, badMethod],
  [1, badPath],
  [2, badPageToken],
  [1, badKey],
];

function tooMany(good: Good, random: Random): Broken | undefined {
  return withField(
    good,
    random,
    ({ entries }) => (entries.maximum ?? Number.POSITIVE_INFINITY) < 2_000,
    ({ path, entries }) => {
      const [entry = "x"] = (valueAt(good.data, path) ?? []) as unknown[];
      return new Array((entries.maximum ?? 0) + 1).fill(entry);
    },
  );
}

function badCredentials({ endpoint, request }: Good, random: Random, { authToken }: Foreign): Broken {
  const headers = { ...request.headers };
  const name = random.from(["x-service-api-key", "x-service-auth-token"]);
  const value = random.from([undefined, "", "ws_unknown", authToken, `${headers[name]}x`, "__proto__"]);
  delete headers[name];
  if (value !== undefined) headers[name] = value;
  return { endpoint, outcomes: denied, request: { ...request, headers } };
}

/** Only endpoints that delete refuse fields that they do not know. */
function unknownField(good: Good, random: Random): Broken | undefined {
  if (!/(?:delete|remove|revoke)$/.test(good.endpoint.path)) return undefined;
  return withData(good, { ...asObject(good.request), [random.from(["unknown", "userID", "__proto"])]: 1 });
}

function badMethod({ endpoint, request }: Good, random: Random): Broken {
  const method = random.from(["GET", "PUT", "DELETE", "PATCH"]);
  return { endpoint, outcomes: invalid, request: { ...request, method } };
}

function badPath({ request }: Good, random: Random): Broken {
  const path = random.from([`${request.path}/`, `${request.path}x`, "/v3/users/get", "/", "/%00", "/__proto__"]);
  return { endpoint: endpointNamed("not-found"), outcomes: ["NOT_FOUND"], request: { ...request, path } };
}

/** A switch that is off is reported before the token is opened. */
function badPageToken(good: Good, random: Random, { pageTokens }: Foreign): Broken | undefined {
  if (!fields(good.endpoint).some(({ path }) => path.join() === "pageToken")) return undefined;
  const pageToken = random.from(["AAAA", "x", "🦜", "A".repeat(8_193), ...pageTokens]);
  return { ...withData(good, { ...asObject(good.request), pageToken }), outcomes: [...invalid, "FAILED_PRECONDITION"] };
}

function badKey(good: Good): Broken | undefined {
  if (!good.endpoint.isWrite) return undefined;
  const headers = { ...good.request.headers, "idempotency-key": "two words" };
  return {
    endpoint: good.endpoint,
    outcomes: [...invalid, "FAILED_PRECONDITION"],
    request: { ...good.request, headers },
  };
}

export function breakRequest(good: Good, random: Random, foreign: Foreign): Broken | undefined {
  return random.weighted(breakers)(good, random, foreign);
}
