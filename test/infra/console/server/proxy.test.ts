import { expect, onTestFinished, test } from "vitest";
import { lookHeader } from "../../../../infra/console/server/look.ts";
import { mask } from "../../../../infra/console/server/mask.ts";
import { consoleOf, keys, standInApi } from "../../../support/console/site.ts";

const secretsOf = (text: string) => [keys.apiKey, keys.authToken].filter((each) => text.includes(each));

test("a call reaches the API with the keys of the process, and none of the browser's own headers", async () => {
  const api = await standInApi(() => ({ headers: { "x-request-id": "r1", "set-cookie": "a=b", "x-other": "c" } }));
  const { call } = await consoleOf({ api: api.url });
  const headers = {
    "x-service-auth-token": "at_mine",
    "idempotency-key": "once",
    authorization: "Bearer x",
    [lookHeader]: "1",
  };
  const reply = await call("/v2/users/get", { organizationId: "acme" }, headers);
  expect(reply.status).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({ "x-request-id": "r1", "cache-control": "no-store" });
  expect(reply.headers.has("set-cookie") || reply.headers.has("x-other")).toBe(false);
  const [sent] = api.calls;
  expect(sent).toMatchObject({ method: "POST", url: "/v2/users/get", body: '{"data":{"organizationId":"acme"}}' });
  expect(sent?.headers).toMatchObject({
    "x-service-api-key": keys.apiKey,
    "x-service-auth-token": keys.authToken,
    "idempotency-key": "once",
    [lookHeader]: "1",
  });
  expect(sent?.headers).not.toHaveProperty("cookie");
  expect(sent?.headers).not.toHaveProperty("authorization");
});

test.each([
  ["x-request-id", keys.apiKey],
  ["x-ignored-fields", `a,${encodeURIComponent(keys.apiKey)}`],
  ["x-ignored-fields", `a,%${keys.apiKey.charCodeAt(0).toString(16)}${keys.apiKey.slice(1)}`],
  ["x-ignored-fields", "a,".repeat(600)],
])("a header with a secret, or a very long one, stays out of the reply: %s: %s", async (name, value) => {
  const api = await standInApi(() => ({ headers: { [name]: value } }));
  const { call } = await consoleOf({ api: api.url });
  expect((await call("/v2/users/get", {})).headers.has(name)).toBe(false);
});

test.each([
  ["/v2/nowhere", 404],
  ["/v3/users/get", 404],
  ["/", 404],
  ["/../users/get", 404],
  ["/v2/users/get/../add", 404],
  ["/v2/users/%67et", 404],
  ["//example.com/v2/users/get", 404],
  ["@example.com/v2/users/get", 405],
  ["/.well-known/jwks/%2e%2e", 405],
  ["/v2/notifications/unsubscribe/token", 404],
])("the path %s reaches no server, since no endpoint declares it", async (path, expected) => {
  const api = await standInApi();
  const { url, cookie, key } = await consoleOf({ api: api.url });
  const { request } = await import("node:http");
  const { port } = new URL(url);
  // fetch would normalize the path.
  const status = await new Promise((resolve, reject) => {
    const headers = { cookie, ...key, "content-type": "application/json" };
    const sent = request({ port, host: "127.0.0.1", path: `/console/api${path}`, method: "POST", headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    sent.on("error", reject).end("{}");
  });
  expect(status).toBe(expected);
  expect(api.calls).toEqual([]);
});

test.each([
  [{ status: 302, headers: { location: "http://127.0.0.1:9/" } }, "a redirect"],
  [{ body: " ".repeat(6_291_557) }, "too long"],
  [{ body: "<html>" }, "not JSON"],
  [{ body: "[".repeat(200_000) + "]".repeat(200_000) }, "nested too deeply"],
  [{ body: `{"result":{"data":${'{"users":'.repeat(200_000)}{}${"}".repeat(200_002)}` }, "nested too deeply"],
])("a reply that is not one of the API becomes a failure: %#", async (reply, says) => {
  const api = await standInApi(() => reply);
  const { call } = await consoleOf({ api: api.url });
  const received = await call("/v2/users/get", {});
  expect(received.status).toBe(502);
  expect(await received.json()).toMatchObject({
    error: { status: "UNAVAILABLE", message: expect.stringContaining(says) },
  });
  expect(api.calls).toHaveLength(1);
});

test("an API that cannot be reached is a failure without its address", async () => {
  const { call } = await consoleOf({ api: "http://127.0.0.1:9" });
  const text = await (await call("/v2/users/get", {})).text();
  expect(text).toContain("cannot be reached");
  expect(text).not.toContain("127.0.0.1");
});

test("only JSON is forwarded, for which a page of another origin would have to ask first", async () => {
  const api = await standInApi();
  const { call } = await consoleOf({ api: api.url });
  expect((await call("/v2/users/get", {}, { "content-type": "text/plain" })).status).toBe(415);
  expect(api.calls).toEqual([]);
});

test("a body with a hidden value is refused, so that it replaces no real one", async () => {
  const api = await standInApi();
  const { call } = await consoleOf({ api: api.url });
  const reply = await call("/v2/workspace/slackconfig/update", { botToken: mask });
  expect(reply.status).toBe(400);
  expect(api.calls).toEqual([]);
});

test("a hidden value is refused also with escaped characters", async () => {
  const api = await standInApi();
  const { url, cookie, key } = await consoleOf({ api: api.url });
  const escaped = `\\u2022${mask.slice(1)}`;
  const headers = { cookie, ...key, "content-type": "application/json" };
  for (const body of [`{"data":{"botToken":"${escaped}"}}`, `{"data":{"${escaped}":1}}`]) {
    const path = `${url}/console/api/v2/workspace/slackconfig/update`;
    const reply = await fetch(path, { method: "POST", headers, body });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain("hidden value");
  }
  expect(api.calls).toEqual([]);
});

test("a body that is nested too deeply is refused", async () => {
  const api = await standInApi();
  const { url, cookie, key } = await consoleOf({ api: api.url });
  const body = "[".repeat(200_000) + "]".repeat(200_000);
  const headers = { cookie, ...key, "content-type": "application/json" };
  const reply = await fetch(`${url}/console/api/v2/users/get`, { method: "POST", headers, body });
  expect(reply.status).toBe(400);
  expect(await reply.text()).toContain("nested too deeply");
  expect(api.calls).toEqual([]);
});

test("a call ends when the browser has gone", async () => {
  const called = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const { createServer } = await import("node:http");
  const { listen } = await import("../../../../infra/local/listen.ts");
  const hanging = createServer((request) => {
    called.resolve();
    request.socket.once("close", () => ended.resolve());
  });
  const { url, close } = await listen(hanging, 0);
  onTestFinished(close);
  const { call } = await consoleOf({ api: url });
  const browser = new AbortController();
  const reply = call("/v2/users/get", {}, {}, browser.signal).catch((thrown: Error) => thrown.name);
  await called.promise;
  browser.abort();
  expect(await reply).toBe("AbortError");
  await ended.promise;
});

test("of many calls at once, 30 run, and the others are told to wait", async () => {
  const api = await standInApi(() => "hang");
  const { call, errors } = await consoleOf({ api: api.url });
  const browser = new AbortController();
  const replies = Array.from({ length: 31 }, () => call("/v2/users/get", {}, {}, browser.signal));
  const refused = await Promise.any(replies);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain("Wait until some have ended");
  browser.abort();
  await Promise.allSettled(replies);
  expect(errors).toEqual([]);
});

test("a call that repeats the keys in its data gets those of the process", async () => {
  const api = await standInApi();
  const { call } = await consoleOf({ api: api.url });
  const { endpoints } = await import("../../../../infra/deployables.ts");
  const path = endpoints.find(({ name }) => name === "locations-update")?.path ?? "";
  await call(path, { apiKey: "placeholder", authToken: "placeholder", organizationId: "acme" });
  expect(JSON.parse(api.calls[0]?.body ?? "")).toEqual({ data: { ...keys, organizationId: "acme" } });
});

test("the key set is that of the process's workspace, and the reply does not repeat its key", async () => {
  const api = await standInApi(({ url }) => ({ body: { keys: [], url } }));
  const { get } = await consoleOf({ api: api.url });
  const text = await (await get("/console/api/.well-known/jwks/anything")).text();
  expect(api.calls[0]?.url).toBe(`/.well-known/jwks/${keys.apiKey}`);
  expect(secretsOf(text)).toEqual([]);
});

test("a created token is printed in the terminal and hidden in the reply", async () => {
  const authToken = "at_a-new-token-that-the-api-has-created-0001";
  const data = { id: "a1", authToken, name: "n", scopes: ["read"], expiresAt: null, createdAt: "x", createdBy: null };
  const api = await standInApi(() => ({ body: { result: { status: "success", message: `Made ${authToken}`, data } } }));
  const { call, notices } = await consoleOf({ api: api.url });
  const text = await (await call("/v2/workspace/authtokens/create", {})).text();
  expect(notices.at(-1)).toBe(`Auth token  ${authToken}`);
  expect(text).not.toContain(authToken);
  expect(JSON.parse(text)).toMatchObject({ result: { data: { id: "a1", authToken: mask } } });
});

test.each(["get", "rotate"])("the secret of an endpoint is printed in the terminal and hidden: %s", async (verb) => {
  const data = { endpointId: "e1\n\u202e", secret: "whsec_dGhlIHNlY3JldCBvZiB0aGUgdGVzdA==" };
  const api = await standInApi(() => ({ body: { result: { status: "success", message: "Done.", data } } }));
  const { call, notices } = await consoleOf({ api: api.url });
  const reply = await call(`/v2/workspace/advancedwebhook/endpoints/secret/${verb}`, { endpointId: "e1" });
  expect(notices.at(-1)).toBe(`Secret  ${data.secret}  of e1\\u{a}\\u{202e}`);
  expect(await reply.json()).toMatchObject({ result: { data: { ...data, secret: mask } } });
});

test.each(["at_\u001b[2J", "two\nlines", "with space", "\u202e", ""])(
  "a created credential that no service makes is not printed: %j",
  async (authToken) => {
    const data = { id: "a1", authToken, name: "n", scopes: ["read"], expiresAt: null, createdAt: "x", createdBy: null };
    const api = await standInApi(() => ({ body: { result: { data } } }));
    const { call, notices } = await consoleOf({ api: api.url });
    await call("/v2/workspace/authtokens/create", {});
    expect(notices).toHaveLength(1);
  },
);

test("a created credential that is a key of the process is not printed", async () => {
  const api = await standInApi(() => ({ body: { result: { data: { authToken: keys.authToken } } } }));
  const { call, notices } = await consoleOf({ api: api.url });
  await call("/v2/workspace/authtokens/create", {});
  expect(notices.at(-1)).toBe(`Auth token  ${mask}`);
});

test("keys of the process are hidden wherever the API repeats them, failures included", async () => {
  const api = await standInApi(({ headers }) => ({
    status: 403,
    body: { error: { status: "PERMISSION_DENIED", message: JSON.stringify(headers) } },
  }));
  const { call } = await consoleOf({ api: api.url });
  const text = await (await call("/v2/users/get", {})).text();
  expect(text).toContain(mask);
  expect(secretsOf(text)).toEqual([]);
});
