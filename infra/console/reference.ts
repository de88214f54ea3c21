// The reference at /docs. Scalar's own build is served from its package.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { apiDocument } from "../api-document.ts";
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
    [/^\/openapi\.json$/, "GET", () => jsonReply(apiDocument())],
    [/^\/docs\//, "ANY", () => notFound("The reference has no such file.")],
  ];
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
