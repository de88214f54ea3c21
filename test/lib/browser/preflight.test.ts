// What a browser asks before a page calls (OPTIONS), at the route of each endpoint.
import { expect, it } from "vitest";
import { endpoints } from "../../../infra/deployables.ts";
import { call } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";

const origin = "https://app.example.com";
const ask = (endpoint: (typeof endpoints)[number]) => call(endpoint, { method: "OPTIONS", headers: { origin } });
const posts = endpoints.filter(({ method }) => method === "POST");

it.each(posts.filter(({ users }) => users))(
  "$name lets pages of each origin ask, and logs nothing",
  async (endpoint) => {
    expect(await ask(endpoint)).toMatchObject({ status: 204, body: "" });
    expect((await ask(endpoint)).headers).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "authorization, content-type, idempotency-key, x-service-api-key",
      "access-control-max-age": "7200",
      "x-request-id": expect.any(String),
    });
    expect(logs()).toEqual([]);
  },
);

it.each(posts.filter(({ users }) => !users))("$name has no headers for pages", async (endpoint) => {
  const { status, headers } = await ask(endpoint);
  expect(status).toBe(405);
  expect(Object.keys(headers).filter((name) => /^access-control|^vary$/.test(name))).toEqual([]);
});
