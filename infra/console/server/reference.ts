// The OpenAPI document: for the reference at /docs, and for other programs.
import type { IncomingMessage } from "node:http";
import { apiDocument } from "../../openapi/api-document.ts";
import { isOfBrowser } from "./guard.ts";
import { keysLineOf } from "./keys-line.ts";
import { referenceDocument } from "./reference-document.ts";
import { jsonReply } from "./reply.ts";
import type { Route } from "./route.ts";
import type { Target } from "./target.ts";

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
    [/^\/docs\/openapi\.json$/, "GET", forPages],
    [
      /^\/openapi\.json$/,
      "GET",
      async ({ request }) => (mayHaveKeys(request, await target) ? forCommands() : jsonReply(await plain())),
    ],
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
