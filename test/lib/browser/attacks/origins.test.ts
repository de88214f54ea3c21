// Pages of other origins than the allowed ones.
import { beforeAll, expect, it } from "vitest";
import { presenceAdd } from "../../../../functions/presence/presence-add.ts";
import { domainsAdd } from "../../../../functions/workspace-settings/domains-add.ts";
import { type Credentials, call, must } from "../../../support/call.ts";
import { expectRefused, storedOf } from "../../../support/refusal.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../../support/users.ts";

const domains = ["example.com", "*.example.org", "bücher.example", "localhost", "127.0.0.1", "192.0.2.7", "[::1]"];

let as: Credentials;
beforeAll(async () => {
  as = await newWorkspaceForUsers();
  await must(domainsAdd, { as, data: { domains } });
});

let users = 0;
/** Each call is of another user, who has calls left. */
async function callFrom(origin: string) {
  const token = await tokenOf(as, `user ${users++}`);
  const before = await storedOf(as);
  return { before, reply: await callAs(token, presenceAdd, { documentId: "d" }, { origin }) };
}

it.each([
  "https://example.com",
  "https://www.example.com",
  "https://example.com:8443",
  "https://a.example.org",
  "https://a.b.example.org",
  "https://xn--bcher-kva.example",
  "http://localhost:5173",
  "https://localhost",
  "http://127.0.0.1:5173",
  "http://[::1]:5173",
  "https://192.0.2.7",
])("may call: %s", async (origin) => {
  const { reply } = await callFrom(origin);
  expect(reply).toMatchObject({ status: 200, headers: { "access-control-allow-origin": origin, vary: "origin" } });
});

const readable = [
  "null",
  "http://example.com",
  "http://a.example.org",
  "http://192.0.2.7",
  "https://sub.example.com",
  "https://www.www.evil.com",
  "https://example.com.evil.net",
  "https://evilexample.com",
  "https://example.co",
  "https://xample.com",
  "https://example.com-evil.net",
  "https://example.org",
  "https://evilexample.org",
  "https://a.example.org.evil.net",
  "https://xn--exmple-cua.com",
  "https://xn--e1awd7f.com",
  "https://localhost.evil.net",
  "http://localhost.evil.net",
  "http://evil.localhost",
  "http://127.0.0.1.evil.net",
  "https://127.0.0.2",
  "https://example.com.",
  "https://com",
  "https://192.0.2.70",
  "https://a.b.c.d.e.f.g.h.i.example.org",
  "ftp://example.com",
];

it.each(readable)("may not call, but can read why: %s", async (origin) => {
  const { before, reply } = await callFrom(origin);
  expectRefused(reply, "PERMISSION_DENIED", /may not call this workspace.+domains\/add/);
  expect(reply.headers["access-control-allow-origin"]).toBe(origin);
  expect(await storedOf(as)).toEqual(before);
});

it.each([
  ["an empty one", ""],
  ["capitals", "https://EXAMPLE.com"],
  ["a capital protocol", "HTTPS://example.com"],
  ["letters that punycode encodes", "https://bücher.example"],
  ["another script", "https://ехample.com"],
  ["letters of full width", "https://ｅxample.com"],
  ["a path", "https://example.com/"],
  ["a path of a file", "https://example.com/a"],
  ["a query", "https://example.com?a"],
  ["a fragment", "https://example.com#a"],
  ["the default port", "https://example.com:443"],
  ["an empty port", "https://example.com:"],
  ["a user", "https://user@example.com"],
  ["a user and a password", "https://example.com:x@evil.net"],
  ["the allowed one as user", "https://example.com@evil.net"],
  ["another host behind a backslash", "https://evil.net\\.example.com"],
  ["a number as host", "https://2130706433"],
  ["no protocol", "example.com"],
  ["no host", "https://"],
  ["a file", "file://example.com"],
  ["an extension", "chrome-extension://example.com"],
  ["data", "data:text/html,x"],
  ["two headers, joined by the gateway", "https://example.com,https://evil.net"],
  ["two headers of allowed origins", "https://example.com, https://example.com"],
  ["two with a space", "https://example.com https://evil.net"],
  ["a space behind it", "https://example.com "],
  ["a line break", "https://example.com\r\nx-evil: 1"],
  ["a tabulator in it", "https://exam\tple.com"],
  ["a long one", `https://${"a.".repeat(200)}example.org`],
])("may not call: %s", async (_, origin) => {
  const { before, reply } = await callFrom(origin);
  expectRefused(reply, "PERMISSION_DENIED", /may not call this workspace/);
  expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
  expect(await storedOf(as)).toEqual(before);
});

it("is asked of the workspace of the token, not of that of another key", async () => {
  const other = await newWorkspaceForUsers();
  const token = await tokenOf(other, "ann");
  const headers = { origin: "https://example.com", "x-service-api-key": as.apiKey };
  expectRefused(await callAs(token, presenceAdd, { documentId: "d" }, headers), "PERMISSION_DENIED");
  const { origin } = headers;
  expectRefused(await callAs(token, presenceAdd, { documentId: "d" }, { origin }), "PERMISSION_DENIED");
});

it("is asked of each origin, also of a token that the container knows", async () => {
  const token = await tokenOf(as, "ann");
  const statusFrom = async (origin?: string) =>
    (await callAs(token, presenceAdd, { documentId: "d" }, { origin })).status;
  expect([await statusFrom("https://example.com"), await statusFrom("https://evil.net"), await statusFrom()]).toEqual([
    200, 403, 200,
  ]);
});

it("gets the same preflight from everywhere, whatever it asks", async () => {
  const headers = { origin: "https://evil.net", "access-control-request-method": "DELETE" };
  const reply = await call(presenceAdd, { method: "OPTIONS", headers: { ...headers, authorization: "Bearer x" } });
  const allowed = reply.headers["access-control-allow-headers"];
  expect(reply.headers).toMatchObject({ "access-control-allow-methods": "POST" });
  expect(reply.headers).not.toHaveProperty("access-control-allow-credentials");
  expect(allowed).toBe("authorization, content-type, idempotency-key, x-service-api-key");
});
