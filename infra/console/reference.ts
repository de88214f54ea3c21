// The reference at /docs. Scalar's own build is served from its package.
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OpenApi } from "../../lib/openapi/document.ts";
import { apiDocument } from "../api-document.ts";
import { isOfBrowser } from "./guard.ts";
import { referenceDocument } from "./reference-document.ts";
import { fileReply, jsonReply, notFound, policies, type Reply } from "./reply.ts";
import type { Route } from "./route.ts";
import type { Target } from "./target.ts";

const own = fileURLToPath(new URL("docs/", import.meta.url));
const script = "text/javascript; charset=utf-8";

/** Files of Scalar's build, such as standalone.esm.js and chunks/ar-4fD2.js. */
const buildFile = /^\/docs\/scalar\/((?:chunks\/)?[\w.-]+\.js)$/;

/** The files change with the package only. */
const cached = { "cache-control": "private, max-age=3600" };

export function referenceRoutes(target: Promise<Target>): Route[] {
  return [
    [
      /^\/docs$/,
      "GET",
      async () => fileReply(await read("index.html", "text/html; charset=utf-8"), policies.reference),
    ],
    [/^\/docs\/start\.js$/, "GET", async () => fileReply(await read("start.js", script))],
    [buildFile, "GET", ({ path }) => scalarFile(buildFile.exec(path)?.[1] ?? "")],
    [/^\/docs\/openapi\.json$/, "GET", async () => jsonReply(referenceDocument(apiDocument(), (await target).api))],
    [/^\/openapi\.json$/, "GET", async ({ request }) => jsonReply(documentFor(request, await target))],
    [/^\/docs\//, "ANY", () => notFound("The reference has no such file.")],
  ];
}

/**
 * For a command on this machine, the examples have the keys, so that they work as they stand. A page of a browser gets
 * none: its own origin is no reason to trust every script in it.
 */
function documentFor(request: IncomingMessage, { apiKey, authToken, isDemo }: Target): OpenApi {
  return isDemo && !isOfBrowser(request) ? apiDocument({ apiKey, authToken }) : apiDocument();
}

const read = async (name: string, type: string) => ({ type, body: await readFile(join(own, name)) });

async function scalarFile(name: string): Promise<Reply> {
  const entry = createRequire(import.meta.url).resolve("@scalar/api-reference");
  try {
    const body = await readFile(join(dirname(entry), "browser", name));
    return fileReply({ type: script, body }, policies.data, cached);
  } catch (thrown) {
    if ((thrown as { code?: string }).code === "ENOENT") return notFound("The reference has no such file.");
    throw thrown;
  }
}
