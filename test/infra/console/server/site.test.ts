// Who may ask the console, and what a page of another origin gets.
import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createSession } from "../../../../infra/console/server/session.ts";
import { createSite } from "../../../../infra/console/server/site.ts";
import { createGateway } from "../../../../infra/local/gateway.ts";
import { listen } from "../../../../infra/local/listen.ts";
import { scopes } from "../../../../lib/schema/scopes.ts";
import { hashOf, idOf } from "../../../../lib/store/access/auth-token.ts";
import { consoleOf, keyIn, keys, standInApi } from "../../../support/console/site.ts";

// The page itself is bundled in the tests of engines.
vi.mock(import("../../../../infra/console/server/page-bundle.ts"), () => {
  const files = ["index.html", "app.js"].map((name) => [name, { type: "text/html", body: Buffer.from(name) }] as const);
  return { bundlePage: async () => new Map(files) };
});

interface Received {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends exactly these headers; fetch would set some itself. */
function ask(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body = "",
): Promise<Received> {
  const { port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers: { host, ...headers } }, async (reply) => {
      resolve({ status: reply.statusCode, headers: reply.headers, text: await text(reply) });
    });
    sent.on("error", reject).end(body);
  });
}

/** The local server, with the console beside an API of one endpoint. */
async function localServer(more: { isDemo?: true } = {}) {
  const api = await standInApi();
  const session = createSession();
  const site = createSite({
    mode: "local",
    target: Promise.resolve({ api: api.url, ...keys, readToken: "at_only-reads", scopes, ...more }),
    session,
    operations: {},
    notice: () => {},
  });
  const endpoints = [{ name: "echo", path: "/{proxy+}", timeoutSeconds: 10 } as const];
  const load = async () => async () => ({ statusCode: 200, body: "of the API" });
  const { url, close } = await listen(createGateway({ endpoints, load, site, onError: () => {} }), 0);
  onTestFinished(close);
  const opened = await ask(url, session.address(""));
  const cookie = String(opened.headers["set-cookie"]).split(";")[0] ?? "";
  return { url, api, cookie, key: keyIn(opened.headers.location), session };
}

const paths = [
  "/",
  "/console/documents",
  "/console/session",
  "/console/assets/app.js",
  "/docs",
  "/openapi.json",
  "/health",
];
const reading = { "content-type": "application/json" };

describe("the name of the server (DNS rebinding)", () => {
  test.each(paths)("%s is refused under another name, also with the cookie", async (path) => {
    const { url, cookie } = await localServer();
    const { port } = new URL(url);
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1:1", `127.0.0.1.evil.example:${port}`]) {
      expect((await ask(url, path, { host, cookie })).status, host).toBe(403);
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect((await ask(url, path, { host })).status, host).toBe(200);
    }
  });

  test("calls of the API are refused only if a page sends them", async () => {
    const { url } = await localServer();
    expect((await ask(url, "/v2/users/get", { host: "host.docker.internal:8787" })).text).toBe("of the API");
    const rebound = { host: "evil.example", origin: "http://evil.example" };
    expect((await ask(url, "/v2/users/get", rebound, "POST")).status).toBe(403);
    // The API decides which pages may call.
    for (const method of ["OPTIONS", "POST"]) {
      const page = { origin: "http://localhost:5173", "sec-fetch-site": "cross-site" };
      expect((await ask(url, "/v2/users/get", page, method)).text, method).toBe("of the API");
    }
  });
});

describe("a page of another origin", () => {
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1:3000" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
  ];

  test.each(foreign)("gets nothing of the console, also with the cookie: %o", async (headers) => {
    const { url, cookie, key, api } = await localServer();
    const own = { cookie, ...key };
    for (const path of paths) expect((await ask(url, path, { ...headers, ...own })).status, path).toBe(403);
    const call = await ask(url, "/console/api/v2/users/get", { ...headers, ...reading, ...own }, "POST", "{}");
    expect(call.status).toBe(403);
    expect(api.calls).toEqual([]);
  });

  test("may have a link to a page, and to nothing else", async () => {
    const { url } = await localServer();
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    for (const path of ["/", "/docs", "/console/jobs"]) expect((await ask(url, path, link)).status, path).toBe(200);
    for (const path of ["/openapi.json", "/console/session"]) expect((await ask(url, path, link)).status).toBe(403);
  });

  test("gets no permission to read: no reply has a header of CORS", async () => {
    const { url } = await localServer();
    for (const path of [...paths, "/v2/users/get"]) {
      const { headers } = await ask(url, path);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("the printed address", () => {
  test("works once, and becomes a cookie that scripts and other websites do not get", async () => {
    const { url, session } = await consoleOf({ api: "http://127.0.0.1:9" });
    const path = session.address("");
    const first = await ask(url, path);
    expect(first).toMatchObject({
      status: 303,
      headers: { location: expect.stringMatching(/^\/#console-key=[\w-]{43}$/) },
    });
    expect(String(first.headers["set-cookie"])).toMatch(/^console-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(first.text).toBe("");
    const second = await ask(url, path);
    expect(second).toMatchObject({ status: 403, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(second.text).toContain("that the terminal of npm run console has printed last");
    expect(second.headers).not.toHaveProperty("set-cookie");
    expect(session.address("")).not.toBe(path);
  });

  test("of the local server leads on when it was used: to the next one, or to a look", async () => {
    const { url } = await localServer();
    const used = await ask(url, "/?token=used");
    expect(used.status).toBe(403);
    expect(used.text).toContain("Press Enter in the terminal of npm start");
    expect(used.text).toContain('<a href="/">');
    expect((await ask(url, "/")).status).toBe(200);
  });

  test("is replaced on the terminal, and a browser that has the cookie may open a used one again", async () => {
    const { url, session, cookie, notices } = await consoleOf({ api: "http://127.0.0.1:9" });
    expect(notices).toEqual([`Console     ${session.address(url)} (for another browser)`]);
    expect(await ask(url, "/?token=used", { cookie })).toMatchObject({ status: 303, headers: { location: "/" } });
  });

  test("is not used up by a request that is no page", async () => {
    const { url, session } = await consoleOf({ api: "http://127.0.0.1:9" });
    const path = session.address("");
    await ask(url, path, {}, "HEAD");
    await ask(url, path.replace("/?", "/console/session?"));
    await ask(url, path, { origin: "https://evil.example" });
    expect((await ask(url, path)).status).toBe(303);
  });
});

describe("without the cookie", () => {
  test("the console of a deployment shows nothing", async () => {
    const { url, cookie } = await consoleOf({ api: "http://127.0.0.1:9" });
    const more = ["/console/operations/jobs", "/console/mail/a.html", "/docs/openapi.json", "/nowhere"];
    for (const path of [...paths, ...more]) {
      expect((await ask(url, path)).status, path).toBe(403);
      expect((await ask(url, path, { cookie: "console-1=x" })).status, path).toBe(403);
    }
    expect((await ask(url, "/", { cookie })).status).toBe(200);
  });

  test("with the cookie and no key, a deployment's console shows pages without data", async () => {
    const { url, cookie, key, get } = await consoleOf({ api: "http://127.0.0.1:9" });
    for (const path of [
      "/console/session",
      "/console/api/v2/users/get",
      "/console/operations/jobs",
      "/console/mail/a.html",
    ]) {
      expect((await ask(url, path, { cookie })).status, path).toBe(403);
      expect((await ask(url, path, { cookie, "x-console-key": "x" })).status, path).toBe(403);
      expect((await ask(url, path, key)).status, path).toBe(403);
    }
    expect((await get("/console/session")).status).toBe(200);
    expect((await ask(url, "/docs", { cookie })).status).toBe(200);
  });

  test("the local server's console reads with the read token, and changes nothing", async () => {
    const { url, api, cookie, key } = await localServer();
    const call = (path: string, headers = {}) =>
      ask(url, `/console/api${path}`, { ...reading, ...headers }, "POST", '{"data":{}}');
    expect((await call("/v2/users/get")).status).toBe(200);
    expect(api.calls[0]?.headers).toMatchObject({ "x-service-auth-token": "at_only-reads" });
    for (const path of ["/v2/users/add", "/v2/workspace/authtokens/get", "/v2/auth/generate_token"]) {
      const refused = await call(path);
      expect(refused.status).toBe(403);
      expect(JSON.parse(refused.text).error).toMatchObject({ status: "PERMISSION_DENIED" });
    }
    expect(api.calls).toHaveLength(1);
    for (const half of [{ cookie }, key]) expect((await call("/v2/users/add", half)).status).toBe(403);
    expect((await call("/v2/users/add", { cookie, ...key })).status).toBe(200);
    expect(api.calls[1]?.headers).toMatchObject({ "x-service-auth-token": keys.authToken });
  });
});

test.each(["/nothing", "/doc", "/v2/users/get", "/v2"])("%s of the local server is a call of the API", async (path) => {
  const { url } = await localServer();
  expect((await ask(url, path)).text).toBe("of the API");
});

describe("the session", () => {
  test("names the console's own tokens by their public ids, to a browser that may change something", async () => {
    const { url, cookie, key } = await localServer();
    const ids = [keys.authToken, "at_only-reads"].map((token) => idOf(hashOf(token)));
    const open = await ask(url, "/console/session", { cookie, ...key });
    expect(JSON.parse(open.text)).toMatchObject({ canChange: true, ownTokenIds: ids });
    expect(JSON.parse((await ask(url, "/console/session")).text)).toMatchObject({ ownTokenIds: [] });
  });
});

describe("the OpenAPI document", () => {
  const hasKeys = (text: string) => text.includes(keys.apiKey) && text.includes(keys.authToken);

  test("has the demo's keys in its examples for a command on this machine, and for no page", async () => {
    const { url, cookie } = await localServer({ isDemo: true });
    const command = await ask(url, "/openapi.json");
    expect(hasKeys(command.text)).toBe(true);
    for (const headers of [{ "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }, { origin: url }]) {
      const { status, text } = await ask(url, "/openapi.json", { ...headers, cookie });
      expect(status).toBe(200);
      expect([keys.apiKey, keys.authToken].filter((each) => text.includes(each))).toEqual([]);
    }
  });
});

describe("every reply", () => {
  test.each([...paths, "/docs/openapi.json", "/console/nowhere/api", "/console/api/v2/nowhere"])(
    "of %s has the headers that keep others out, and no key",
    async (path) => {
      const { url, cookie } = await localServer();
      const { headers, text } = await ask(url, path, { cookie });
      expect(headers).toMatchObject({
        "content-security-policy": expect.stringContaining("default-src 'none'"),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      });
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["content-security-policy"]).not.toContain("unsafe-eval");
      expect([keys.apiKey, keys.authToken].filter((each) => text.includes(each))).toEqual([]);
    },
  );

  test("of a page allows scripts and styles of its own origin only", async () => {
    const { url } = await localServer();
    const { headers } = await ask(url, "/");
    expect(headers["content-security-policy"]).toMatch(/script-src 'self'; style-src 'self';/);
  });

  test("to a method that a path does not have is 405, or the API's own beside the API", async () => {
    const { url, cookie } = await localServer();
    const isPage = (path: string) => path === "/" || path === "/docs" || path === "/console/documents";
    for (const path of paths.filter((each) => !isPage(each)))
      expect((await ask(url, path, { cookie }, "POST")).status, path).toBe(405);
    for (const path of paths.filter(isPage))
      expect((await ask(url, path, { cookie }, "POST")).text, path).toContain("the API");
  });
});
