import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { handlerOf } from "../support/bundles.ts";
import { type Credentials, call, contextOf, eventOf, type RequestOptions } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, named, posts } from "../support/contract/requests.ts";
import { expectRefused, storedOf } from "../support/refusal.ts";

const bytesMax = 8 * 1_024 * 1_024;

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

/** Seven gigabytes of spaces in seven megabytes: a gzip file of several members. Inflating it takes over 10 s. */
function bomb(): RequestOptions {
  const part = gzipSync(Buffer.alloc(10 * 1_024 * 1_024, " "));
  return inBase64(Buffer.concat(new Array(700).fill(part)), { "content-encoding": "gzip" });
}

const refused: [string, RegExp, () => RequestOptions][] = [
  ["an empty body", /empty/, () => ({ body: "" })],
  ["a body of white space", /empty/, () => ({ body: " \n" })],
  ["a body that is not JSON", /JSON/, () => ({ body: "{data: {}}" })],
  ["a body that breaks off", /JSON/, () => ({ body: '{"data": {' })],
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
    "a content type that begins as JSON's",
    /content type/,
    () => ({ headers: { "content-type": "application/jsonp" } }),
  ],
  ["bytes that are not UTF-8", /UTF-8/, () => inBase64(Buffer.from('{"data":{"a":"\xff"}}', "latin1"))],
  ["a surrogate encoded as UTF-8", /UTF-8/, () => inBase64(Buffer.from('{"data":{"a":"\xed\xa0\x80"}}', "latin1"))],
  ["a lone surrogate in a value", /surrogate/, () => wrapped('"a\\ud800"')],
  ["a lone surrogate in a key", /surrogate/, () => wrapped('{"\\udfff":1}')],
  ["a lone surrogate deep inside", /surrogate/, () => wrapped('[[{"a":["\\ud83d"]}]]')],
  ["1,000 nested lists", /nested/, () => wrapped("[".repeat(1_000) + "]".repeat(1_000))],
  ["1,000 nested objects", /nested/, () => wrapped('{"a":'.repeat(1_000) + 0 + "}".repeat(1_000))],
  ["4 million nested lists", /nested/, () => wrapped("[".repeat(4e6) + "]".repeat(4e6))],
  ["a byte over 8 MB", /8 MB/, () => ({ body: `{"data":{}}${" ".repeat(bytesMax - 10)}` })],
  ["8 MB in fewer characters", /8 MB/, () => wrapped(JSON.stringify("é".repeat(bytesMax / 2)))],
  ["over 8 MB in base64", /8 MB/, () => inBase64(Buffer.alloc(bytesMax + 1, " "))],
  ["gzip that inflates to a byte over 8 MB", /8 MB/, () => inGzip(Buffer.alloc(bytesMax + 1, " "))],
  ["a gzip bomb, without inflating it all", /8 MB/, bomb],
  ["what is no gzip", /gzip/, () => inBase64('{"data":{}}', { "content-encoding": "gzip" })],
  [
    "gzip that breaks off",
    /gzip/,
    () => inBase64(gzipSync('{"data":{}}').subarray(0, -9), { "content-encoding": "gzip" }),
  ],
  ["an unknown content encoding", /content encoding/, () => ({ headers: { "content-encoding": "br" } })],
  ["gzip of bytes that are not UTF-8", /UTF-8/, () => inGzip(Buffer.from([0xff]))],
];

/** The largest cost most: one endpoint stands for all there, since none has a say in how a body is read. */
const isLarge = (name: string) => /MB|million|bomb/.test(name);

describe.each(posts)("$name: INVALID_ARGUMENT", (endpoint) => {
  const cases = refused.filter(([name]) => endpoint.name === "documents-add" || !isLarge(name));

  it.each(cases)("is returned for %s", async (_, message, options) => {
    expectRefused(await call(endpoint, { as: alice, ...options() }), "INVALID_ARGUMENT", message);
  });

  it("is returned for a missing body", async () => {
    const { body: _, ...event } = eventOf(endpoint, { as: alice }) as { body?: string };
    const answer = (await (await handlerOf(endpoint.name))(event, contextOf(endpoint.name))) as { body: string };
    const message = expect.stringContaining("empty");
    const code = endpoint.failureCode && { code: 400 };
    expect(JSON.parse(answer.body)).toEqual({ error: { ...code, status: "INVALID_ARGUMENT", message } });
  });
});

it("refused bodies change nothing", async () => {
  expect(await storedOf(alice)).toEqual(before);
});

describe("OK", () => {
  const endpoint = named("documents-get");
  const body = JSON.stringify({ data: dataOf(endpoint) });
  const accepted: [string, RequestOptions][] = [
    ["base64", inBase64(body)],
    ["gzip", inGzip(body)],
    ["gzip named in capitals", { ...inGzip(body), headers: { "content-encoding": "GZIP" } }],
    ["an identity encoding", { body, headers: { "content-encoding": "identity" } }],
    ["a charset", { body, headers: { "content-type": "application/json; charset=utf-8" } }],
    ["a type that is JSON underneath", { body, headers: { "content-type": "application/vnd.api+json" } }],
    ["no content type", { body, headers: { "content-type": undefined } }],
    ["members beside data", { body: body.replace("{", '{"more":[1],') }],
    ["exactly 8 MB", { body: body.padEnd(bytesMax) }],
    ["gzip that inflates to exactly 8 MB", inGzip(body.padEnd(bytesMax))],
    [
      "60 levels of nesting",
      { body: body.replace('"data":{', `"data":{"unknown":${"[".repeat(60)}${"]".repeat(60)},`) },
    ],
  ];

  it.each(accepted)("reads %s", async (_, options) => {
    const { error, data } = await call(endpoint, { as: alice, ...options });
    expect(error).toBeUndefined();
    expect(data.documents).toMatchObject([{ documentId: "plan" }]);
  });

  it("accepts a body of 5 MB in every encoding", async () => {
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
