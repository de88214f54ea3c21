// The page /demo of `npm start -- --example`: the browser client alone, with this server as the customer's server.
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { isForeign, isOwnHost } from "../console/server/guard.ts";
import { denied, fileReply, notFound, policies, type Reply, send, textReply } from "../console/server/reply.ts";
import type { Demo } from "./demo.ts";
import { alice, bob, carol, documentId, organizationId, posterTo } from "./example-data.ts";
import { pathAndQuery } from "./gateway-event.ts";

const folder = fileURLToPath(new URL("demo-page/", import.meta.url));
const source = fileURLToPath(new URL("../client/source/", import.meta.url));
const users = [alice, bob, carol];

type Service = Demo & { url: string };

/** Returns a function that replies to the requests of the page. It returns false for another path. */
export function demoSite(service: Promise<Service>) {
  let script: Promise<Uint8Array> | undefined;
  const built = () => {
    script ??= bundle();
    script.catch(() => {
      script = undefined;
    });
    return script;
  };
  const file = async (type: string, name: string) =>
    fileReply({ type: `text/${type}; charset=utf-8`, body: await readFile(folder + name) }, policies.page);
  const routes: Record<string, (query: URLSearchParams) => Promise<Reply>> = {
    "GET /demo": () => file("html", "index.html"),
    "GET /demo/page.css": () => file("css", "page.css"),
    "GET /demo/page.js": async () => fileReply({ type: "text/javascript; charset=utf-8", body: await built() }),
    "POST /demo/token": async (query) => tokenOf(await service, query.get("user")),
  };
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const { path, query } = pathAndQuery(request);
    if (!/^\/demo(?:\/|$)/.test(path)) return false;
    const isOwn = isOwnHost(request) && (request.method === "GET" || !isForeign(request));
    const route = routes[`${request.method} ${path}`];
    const refused = isOwn ? notFound("The demo has no such page.") : denied("Only pages of this server get this.");
    send(response, isOwn && route ? await route(new URLSearchParams(query)) : refused);
    return true;
  };
}

/** A real server asks its session who the user is. This one believes the page, so it exists only with the example. */
async function tokenOf(service: Service, userId: string | null): Promise<Reply> {
  const user = users.find((each) => each.userId === userId);
  if (!user) return textReply(403, `The demo has the users ${users.map((each) => each.userId).join(", ")}.`);
  const post = posterTo(service);
  const { name, email } = user;
  if (user === bob)
    await post("/v2/users/add", { organizationId, documentId, users: [{ ...bob, accessRole: "editor" }] });
  const data = { userId, userProperties: { name, email }, permissions: { resources: [] } };
  const { token } = await post<{ token: string }>("/v2/auth/generate_token", data);
  return textReply(200, token);
}

/** The page with the client's sources and the editor, at the first request. */
async function bundle(): Promise<Uint8Array> {
  const esbuild = await import("esbuild");
  const { generatedFiles } = await import("../client/generate.ts");
  const { apiDocument } = await import("../openapi/api-document.ts");
  const { endpoints } = await import("../deployables.ts");
  const generated = await generatedFiles(apiDocument(), endpoints);
  const client: Plugin = {
    name: "client",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^collaboration-backend-client\/yjs$/ }, () => ({ path: `${source}yjs.ts` }));
      onResolve({ filter: /^(?:collaboration-backend-client\/browser|\.\/browser-operations\.ts)$/ }, ({ path }) => ({
        path: `${path.replace(/^.*\/|\.ts$/g, "")}.ts`,
        namespace: "generated",
      }));
      onLoad({ filter: /./, namespace: "generated" }, ({ path }) => ({
        contents: generated[path] ?? "",
        loader: "ts",
        resolveDir: source,
      }));
    },
  };
  try {
    const { outputFiles } = await esbuild.build({
      entryPoints: [`${folder}page.js`],
      bundle: true,
      format: "esm",
      target: "es2022",
      minify: true,
      legalComments: "none",
      write: false,
      logLevel: "silent",
      plugins: [client],
    });
    return outputFiles[0]?.contents ?? new Uint8Array();
  } finally {
    await esbuild.stop();
  }
}
