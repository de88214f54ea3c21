import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { countValues } from "../../lib/http/count-values.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { type Credentials, call, contextOf, eventOf, type RequestOptions } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, named, others, samples } from "../support/contract/requests.ts";
import { expectRefused, storedOf } from "../support/refusal.ts";

const bytesMax = 8 * 1_024 * 1_024;
const valuesMax = 200_000;

let alice: Credentials;
let before: Record<string, unknown>;

beforeAll(async () => {
  alice = await furnishedWorkspace();
  before = await storedOf(alice);
});

const inBase64 = (content: Buffer | string, headers: RequestOptions["headers"] = {}): RequestOptions => ({
  body: Buffer.from(content).toString("base64"),
  isBase64Encoded: true,
  headers,
});
const inGzip = (content: Buffer | string) => inBase64(gzipSync(content), { "content-encoding": "gzip" });
const wrapped = (json: string): RequestOptions => ({ body: `{"data":{"unknown":${json}}}` });

/** A list as a body's third value, with so many values in it. */
const listOf = (count: number) => `[${"{},".repeat(count - 1)}{}]`;

/** A gzip file of 700 members, about 7 MB, that inflates to 7 GB of spaces. */
function bomb(): RequestOptions {
  const part = gzipSync(Buffer.alloc(10 * 1_024 * 1_024, " "));
  return inBase64(Buffer.concat(new Array(700).fill(part)), { "content-encoding": "gzip" });
}

const refused: [string, RegExp, () => RequestOptions][] = [
  ["an empty body", /empty/, () => ({ body: "" })],
  ["a body of white space", /empty/, () => ({ body: " \n" })],
  ["a body that is not JSON", /JSON/, () => ({ body: "{data: {}}" })],
  ["a truncated body", /JSON/, () => ({ body: '{"data": {' })],
  ["a list as the body", /"data"/, () => ({ body: "[]" })],
  ["a text as the body", /"data"/, () => ({ body: '"data"' })],
  ["null as the body", /"data"/, () => ({ body: "null" })],
  ["a body that is not wrapped", /"data"/, () => ({ body: '{"organizationId":"acme"}' })],
  ["data that is null", /"data"/, () => ({ data: null })],
  ["data that is a list", /"data"/, () => ({ data: [] })],
  ["data that is a text", /"data"/, () => ({ data: "acme" })],
  ["data that is a number", /"data"/, () => ({ data: 1 })],
  ["data that is a boolean", /"data"/, () => ({ data: true })],
  ["another content type", /content type/, () => ({ headers: { "content-type": "text/plain" } })],
  ["a form", /content type/, () => ({ headers: { "content-type": "application/x-www-form-urlencoded" } })],
  [
    "a content type that begins with JSON's",
    /content type/,
    () => ({ headers: { "content-type": "application/jsonp" } }),
  ],
  ["bytes that are not UTF-8", /UTF-8/, () => inBase64(Buffer.from('{"data":{"a":"\xff"}}', "latin1"))],
  ["a surrogate encoded as UTF-8", /UTF-8/, () => inBase64(Buffer.from('{"data":{"a":"\xed\xa0\x80"}}', "latin1"))],
  ["a lone surrogate in a value", /surrogate/, () => wrapped('"a\\ud800"')],
  ["a lone surrogate in a key", /surrogate/, () => wrapped('{"\\udfff":1}')],
  ["a lone surrogate deep inside", /surrogate/, () => wrapped('[[{"a":["\\ud83d"]}]]')],
  ["a field that is there twice", /^unknown\.b: .*twice/, () => wrapped('{"a":1,"b":2,"b":2}')],
  ["data that is there twice", /twice/, () => ({ body: '{"data":{},"data":{}}' })],
  ["a number below 5e-324", /1e-400/, () => wrapped("[0,1e-400]")],
  ["a long number below 5e-324", /0\.0000/, () => wrapped(`-0.${"0".repeat(400)}1`)],
  ["a number above 1.8e308", /1\.8e308/, () => wrapped("1e400")],
  ["1,000 nested lists", /nested/, () => wrapped("[".repeat(1_000) + "]".repeat(1_000))],
  ["1,000 nested objects", /nested/, () => wrapped('{"a":'.repeat(1_000) + 0 + "}".repeat(1_000))],
  [
    "100,000 nested lists beside data",
    /nested/,
    () => ({ body: `{"more":${"[".repeat(1e5)}${"]".repeat(1e5)},"data":{}}` }),
  ],
  ["90,000 nested lists", /nested/, () => wrapped("[".repeat(9e4) + "]".repeat(9e4))],
  ["8 MB of nested lists without an end", /values.*less/, () => ({ body: "[".repeat(bytesMax) })],
  ["200,001 values", /values.*less/, () => wrapped(listOf(valuesMax - 2))],
  ["2.6 million empty objects", /values.*less/, () => wrapped(`[${"{},".repeat(2.6e6)}{}]`)],
  ["a byte over 8 MB", /8 MB/, () => ({ body: `{"data":{}}${" ".repeat(bytesMax - 10)}` })],
  ["8 MB in fewer characters", /8 MB/, () => wrapped(JSON.stringify("é".repeat(bytesMax / 2)))],
  ["over 8 MB in base64", /8 MB/, () => inBase64(Buffer.alloc(bytesMax + 1, " "))],
  ["gzip that inflates to a byte over 8 MB", /8 MB/, () => inGzip(Buffer.alloc(bytesMax + 1, " "))],
  ["a gzip bomb", /8 MB/, bomb],
  ["a body that is not gzip", /gzip/, () => inBase64('{"data":{}}', { "content-encoding": "gzip" })],
  ["truncated gzip", /gzip/, () => inBase64(gzipSync('{"data":{}}').subarray(0, -9), { "content-encoding": "gzip" })],
  ["an unknown content encoding", /content encoding/, () => ({ headers: { "content-encoding": "br" } })],
  ["gzip of bytes that are not UTF-8", /UTF-8/, () => inGzip(Buffer.from([0xff]))],
];

/** Large bodies are slow. One endpoint is enough for them, since the same code reads the bodies of all endpoints. */
const isLarge = (name: string) => /MB|million|bomb/.test(name);

describe.each(samples)("$name: INVALID_ARGUMENT", (endpoint) => {
  const cases = refused.filter(([name]) => endpoint.name === "documents-add" || !isLarge(name));

  it.each(cases)("is returned for %s", async (_, message, options) => {
    expectRefused(await call(endpoint, { as: alice, ...options() }), "INVALID_ARGUMENT", message);
  });

  it("is returned for a missing body", async () => {
    const { body: _, ...event } = eventOf(endpoint, { as: alice }) as { body?: string };
    const reply = await lambda(endpoint)(event as never, contextOf(endpoint.name) as never);
    const message = expect.stringContaining("empty");
    const code = endpoint.failureCode && { code: 400 };
    expect(JSON.parse(reply.body)).toEqual({ error: { ...code, status: "INVALID_ARGUMENT", message } });
  });
});

it.each(others)("$name: INVALID_ARGUMENT is returned for a body that is not wrapped", async (endpoint) => {
  const reply = await call(endpoint, { as: alice, body: '{"organizationId":"acme"}' });
  expectRefused(reply, "INVALID_ARGUMENT", /"data"/);
});

it("a refused body changes nothing", async () => {
  expect(await storedOf(alice)).toEqual(before);
});

describe("documents-get: OK", () => {
  const endpoint = named("documents-get");
  const body = JSON.stringify({ data: dataOf(endpoint) });
  const accepted: [string, RequestOptions][] = [
    ["base64", inBase64(body)],
    ["gzip", inGzip(body)],
    ["gzip named in capitals", { ...inGzip(body), headers: { "content-encoding": "GZIP" } }],
    ["an identity encoding", { body, headers: { "content-encoding": "identity" } }],
    ["a charset", { body, headers: { "content-type": "application/json; charset=utf-8" } }],
    ["a type with the suffix +json", { body, headers: { "content-type": "application/vnd.api+json" } }],
    ["a byte order mark", { body: `\uFEFF${body}` }],
    ["a byte order mark in gzip", inGzip(`\uFEFF${body}`)],
    ["no content type", { body, headers: { "content-type": undefined } }],
    ["fields beside data", { body: body.replace("{", '{"more":[1],') }],
    ["zeros and small numbers", { body: body.replace("{", '{"more":[0,-0.0,0e-999,5e-324,1e-300,"1e-400"],') }],
    ["200,000 values", { body: `{"more":${listOf(valuesMax - 1 - countValues(body, valuesMax))},${body.slice(1)}` }],
    ["exactly 8 MB", { body: body.padEnd(bytesMax) }],
    ["gzip that inflates to exactly 8 MB", inGzip(body.padEnd(bytesMax))],
    [
      "60 levels of nesting",
      { body: body.replace('"data":{', `"data":{"unknown":${"[".repeat(60)}${"]".repeat(60)},`) },
    ],
  ];

  it.each(accepted)("is returned for %s", async (_, options) => {
    const { error, data } = await call(endpoint, { as: alice, ...options });
    expect(error).toBeUndefined();
    expect(data.documents).toMatchObject([{ documentId: "plan" }]);
  });

  it("is returned by documents-add for a body of 5 MB in every encoding", async () => {
    const sent = (documentId: string) => {
      const unknown = Array.from({ length: 1_000 }, () => "x€😀".repeat(700));
      return JSON.stringify({ data: { organizationId: "acme", documents: [{ documentId }], unknown } });
    };
    expect(Buffer.byteLength(sent("plain"))).toBeGreaterThan(5 * 1_024 * 1_024);
    const forms = { plain: { body: sent("plain") }, base64: inBase64(sent("base64")), gzip: inGzip(sent("gzip")) };
    for (const [id, options] of Object.entries(forms)) {
      const reply = await call(named("documents-add"), { as: alice, ...options });
      expect(reply.data).toMatchObject({ [id]: { success: true } });
    }
  });
});
