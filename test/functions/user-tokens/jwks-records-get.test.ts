import { createPublicKey, verify } from "node:crypto";
import { compactVerify, createLocalJWKSet } from "jose";
import { describe, expect, it } from "vitest";
import { jwksGet } from "../../../functions/user-tokens/jwks-get.ts";
import { handler, jwksRecordsGet } from "../../../functions/user-tokens/jwks-records-get.ts";
import { signRecord } from "../../../lib/access/signing-keys.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, contextOf, eventOf, newWorkspace } from "../../support/call.ts";

const keysOf = async (apiKey: string) => (await call(jwksRecordsGet, { pathParameters: { apiKey } })).body.keys;

describe("OK", () => {
  it("returns the keys with which jose and Node's own crypto verify a record", async () => {
    const { apiKey } = await newWorkspace();
    const record = { a: 1, text: "é" };
    const jws = await signRecord(apiKey, "test-record", record);
    const keys = await keysOf(apiKey);
    const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet({ keys }));
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(record);
    expect(protectedHeader).toEqual({ alg: "ES256", typ: "test-record", kid: keys[0].kid });
    const [header, body, signature] = jws.split(".");
    const key = { key: createPublicKey({ key: keys[0], format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
    const signed = Buffer.from(`${header}.${body}`);
    expect(verify("sha256", signed, key, Buffer.from(signature ?? "", "base64url"))).toBe(true);
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  it("returns no key of the user tokens, and those no key of records", async () => {
    const { apiKey } = await newWorkspace();
    await signRecord(apiKey, "test-record", {});
    const [record] = await keysOf(apiKey);
    const { body } = await call(jwksGet, { pathParameters: { apiKey } });
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).not.toContain(record.kid);
  });

  it("gives a workspace one key, however many records it signs first at once", async () => {
    const { apiKey } = await newWorkspace();
    expect(await keysOf(apiKey)).toEqual([]);
    const signed = await Promise.all([1, 2, 3].map((n) => signRecord(apiKey, "test-record", { n })));
    const keys = await keysOf(apiKey);
    expect(keys).toHaveLength(1);
    for (const jws of signed) await compactVerify(jws, createLocalJWKSet({ keys }));
  });

  it("returns no key for an unknown workspace, and lets anyone cache the keys for five minutes", async () => {
    const { body, headers } = await call(jwksRecordsGet, { pathParameters: { apiKey: "nobody" } });
    expect(body).toEqual({ keys: [] });
    expect(headers["cache-control"]).toBe("public, max-age=300");
  });
});

it("makes one read", async () => {
  const aws = mockAws();
  const event = eventOf(jwksRecordsGet, { pathParameters: { apiKey: "w" } });
  await handler(event as never, contextOf("jwks-records-get") as never);
  expect(aws.calls()).toEqual([expect.stringContaining("Query W#w#RECORDSKEYS")]);
  aws.restore();
});
