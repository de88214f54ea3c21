// The client for pages in Chromium: on a page, in its tabs and in a worker, with a service at another origin.
import type { IncomingMessage, RequestListener } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { closeBrowserAfterAll, lacksBrowser, newPage } from "../../support/browser.ts";
import { projectWithClient } from "../../support/built-client.ts";
import { userToken } from "../../support/client/user-token.ts";
import { listen } from "../../support/net/listen.ts";

closeBrowserAfterAll();
const dir = projectWithClient();

const files: Record<string, string> = { "/": "<!doctype html><title>A page</title>" };
beforeAll(async () => {
  for (const name of ["browser", "index"]) {
    const entry = join(dir(), "node_modules/collaboration-backend-client", `${name}.js`);
    const options = { bundle: true, minify: true, format: "esm", write: false } as const;
    const { outputFiles } = await build({ entryPoints: [entry], ...options });
    files[`/${name}.js`] = outputFiles[0]?.text ?? "";
  }
});

/** The customer's server: the page, its scripts and its users' tokens. A service beside it refuses the first tokens. */
async function served() {
  const user = { sub: "alice", iat: 1_000 };
  const headers: IncomingMessage["headers"][] = [];
  /** Renewals wait for this. */
  const gate = Promise.withResolvers<void>();
  let renewals = 0;

  const api = await listen((request, response) => {
    const cors = { "access-control-allow-origin": "*", "access-control-expose-headers": "x-request-id, retry-after" };
    if (request.method === "OPTIONS") {
      const allowed = "authorization, content-type, idempotency-key";
      return void response.writeHead(204, { ...cors, "access-control-allow-headers": allowed }).end();
    }
    headers.push(request.headers);
    const isOld = request.headers.authorization === `Bearer ${userToken("alice")}`;
    const body = isOld
      ? { error: { status: "UNAUTHENTICATED", message: "The token has ended." } }
      : { result: { status: "success", message: "Done.", data: { users: [], nextPageToken: null } } };
    response.writeHead(isOld ? 401 : 200, { ...cors, "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const script = `import { createBrowserClient } from "/browser.js";
let iat = 1000;
const getToken = async () => (await fetch("/token?iat=" + iat++)).text();
export const client = createBrowserClient({ url: "http://127.0.0.1:${api}", getToken });
export const call = () => client.presenceAdd({ organizationId: "acme", documentId: "plan", users: [] });`;
  const worker = `import { call } from "/app.js"; call().then(postMessage, (error) => postMessage(String(error)));`;
  const all: Record<string, string> = { ...files, "/app.js": script, "/worker.js": worker };

  const respond: RequestListener = async ({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (pathname === "/token") {
      const iat = Number(searchParams.get("iat"));
      if (iat > user.iat) renewals++;
      if (iat > user.iat) await gate.promise;
      return void response.end(userToken(user.sub, { iat }));
    }
    const type = pathname.endsWith(".js") ? "text/javascript" : "text/html";
    response.writeHead(pathname in all ? 200 : 404, { "content-type": type }).end(all[pathname]);
  };
  return { url: `http://127.0.0.1:${await listen(respond)}/`, headers, gate, renewals: () => renewals };
}

const call = (page: Page) => page.evaluate(`import("/app.js").then(({ call }) => call())`);
const reply = { users: [], nextPageToken: null };

describe.skipIf(lacksBrowser())("in Chromium", () => {
  test("a page calls, renews a refused token once over its tabs, and stores nothing", async () => {
    const { url, headers, gate, renewals } = await served();
    const { page, context, requests } = await newPage();
    const other = await context.newPage();
    onTestFinished(() => other.close());
    await Promise.all([page.goto(url), other.goto(url)]);
    const calls = [call(page), call(other)];
    const locks = `navigator.locks.query().then(({ held, pending }) => [held.length, pending.length])`;
    await expect.poll(() => page.evaluate(locks)).toEqual([1, 1]);
    gate.resolve();
    expect(await Promise.all(calls)).toEqual([reply, reply]);
    expect(renewals()).toBe(1);

    expect(headers).toHaveLength(4);
    const [first, ...others] = headers.map((each) => each["idempotency-key"]);
    expect(others.filter((key) => key === first)).toHaveLength(1);
    for (const { cookie, origin } of headers) expect([cookie, `${origin}/`]).toEqual([undefined, url]);
    const stored = `Promise.all([indexedDB.databases(), caches.keys()]).then((lists) =>
      [...lists.flat(), ...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie])`;
    expect(await page.evaluate(stored)).toEqual([""]);
    expect(requests.filter((each) => each.includes("eyJ"))).toEqual([]);
  });

  test("a worker calls", async () => {
    const { url, gate, renewals } = await served();
    const { page } = await newPage();
    await page.goto(url);
    gate.resolve();
    const message = `new Promise((resolve) => {
      new Worker("/worker.js", { type: "module" }).onmessage = ({ data }) => resolve(data);
    })`;
    expect(await page.evaluate(message)).toEqual(reply);
    expect(renewals()).toBe(1);
  });

  test("a page cannot make the client for servers", async () => {
    const { url } = await served();
    const { page } = await newPage();
    await page.goto(url);
    const made = `import("/index.js").then(({ createClient }) => createClient({ url: "https://a.example", apiKey: "k", authToken: "t" }))`;
    await expect(page.evaluate(made)).rejects.toThrow("createClient is for servers");
  });
});
