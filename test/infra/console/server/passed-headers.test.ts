import { expect, test } from "vitest";
import { passedHeaders } from "../../../../infra/console/server/passed-headers.ts";

const secret = "ws_12345678+x";
const passed = (headers: Record<string, string>) => passedHeaders(new Headers(headers), [secret, "ws_12345678"]);

test("the page gets the headers of the API as the API writes them, and no other", () => {
  const headers = {
    "x-request-id": "0a1b-c",
    "x-ignored-fields": "organizationid,x%20y,%F0%9F%98%80",
    "idempotent-replayed": "true",
    "retry-after": "12",
  };
  expect(passed({ ...headers, "set-cookie": "a=b", server: "x" })).toEqual(headers);
});

test.each([
  ["x-request-id", "a b"],
  ["x-request-id", "a".repeat(65)],
  ["x-request-id", "<script>"],
  ["x-request-id", "ws_12345678"],
  ["x-ignored-fields", "a%2"],
  ["x-ignored-fields", "a b"],
  ["x-ignored-fields", "a,".repeat(600)],
  ["x-ignored-fields", `a,${encodeURIComponent(secret)}`],
  ["x-ignored-fields", "a,%77s_12345678"],
  ["idempotent-replayed", "yes"],
  ["retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"],
])("a value of another form, or one with a secret, stays out: %s: %s", (header, value) => {
  expect(passed({ [header]: value })).toEqual({});
});
