// The reference at /docs. Scalar's own build is served from its package.
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { apiDocument } from "../../openapi/api-document.ts";
import { isOfBrowser } from "./guard.ts";
import { keysLineOf } from "./keys-line.ts";
import { referenceDocument } from "./reference-document.ts";
import { fileReply, jsonReply, notFound, policies, type Reply } from "./reply.ts";
import type { Route } from "./route.ts";
import type { Target } from "./target.ts";

const own = fileURLToPath(new URL("../docs/", import.meta.url));
const script = "text/javascript; charset=utf-8";

/** Files of Scalar's build, such as standalone.esm.js and chunks/ar-4fD2.js. */
const buildFile = /^\/docs\/scalar\/((?:chunks\/)?[\w.-]+\.js)$/;

/** The files change with the package only. */
const cached = { "cache-control": "private, max-age=3600" };

export function referenceRoutes(target: Promise<Target>): Route[] {
  // Generating the document takes a second of the process that also serves the calls.
  const plain = once(async () => apiDocument({ api: (await target).api }));
  const forPages = once(async () => {
    const known = await target;
    return jsonReply(referenceDocument(await plain(), { api: known.api, keysLine: keysLineOf(known) }));
  });
  const forCommands = once(async () => {
    const known = await target;
    return jsonReply(apiDocument({ api: known.api, keys: known }));
  });
  return [
    [
      /^\/docs\/?$/,
      "GET",
      async () => fileReply(await read("index.html", "text/html; charset=utf-8"), policies.reference),
    ],
    [/^\/docs\/start\.js$/, "GET", async () => fileReply(await read("start.js", script))],
    [/^\/docs\/top\.css$/, "GET", async () => fileReply(await read("top.css", "text/css; charset=utf-8"))],
    [buildFile, "GET", ({ path }) => scalarFile(buildFile.exec(path)?.[1] ?? "")],
    [/^\/docs\/openapi\.json$/, "GET", forPages],
    [
      /^\/openapi\.json$/,
      "GET",
      async ({ request }) => (mayHaveKeys(request, await target) ? forCommands() : jsonReply(await plain())),
    ],
    [/^\/docs\//, "ANY", () => notFound("The reference has no such file.")],
  ];
}

/**
 * For a command on this machine, the examples have the keys, so that they work as they stand. A page of a browser gets
 * none: its own origin is no reason to trust every script in it.
 */
const mayHaveKeys = (request: IncomingMessage, { isDemo }: Target) => isDemo === true && !isOfBrowser(request);

/** Calls `make` at the first use only. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
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
