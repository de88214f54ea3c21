// The console's paths: its page, the reference, and what they ask this process for.
import type { IncomingMessage, ServerResponse } from "node:http";
import { visible } from "../../../lib/visible.ts";
import { version } from "../../cli/version.ts";
import { pathAndQuery } from "../../local/gateway-event.ts";
import { operationsRoutes } from "./operations-routes.ts";
import { bundlePage } from "./page-bundle.ts";
import { forward } from "./proxy.ts";
import { referenceRoutes } from "./reference.ts";
import { pages, refusal, refusalOfCall } from "./refusal.ts";
import { failure, fileReply, jsonReply, notFound, policies, type Reply, send } from "./reply.ts";
import type { Asked, Route } from "./route.ts";
import type { SiteOptions } from "./site-options.ts";
import { secretsOf, tokensOf } from "./target.ts";
import { shownText } from "./terminal.ts";
import { createUpstream } from "./upstream.ts";

/** Returns a function that replies to the console's requests. It returns false for a path that is not the console's. */
export function createSite(
  given: SiteOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const options = { ...given, notice: lineNotice(given) };
  const routes = routesOf(options);
  return async (request, response) => {
    const { path, query } = pathAndQuery(request);
    // Beside the API, any other method on a page's path is a call of the API, which has no such endpoint.
    const isCall = options.mode === "local" && pages.test(path) && !isRead(request);
    const route = isCall ? undefined : routes.find(([pattern]) => pattern.test(path));
    if (!route && options.mode === "local") {
      const refused = refusalOfCall(request);
      if (!refused) return false; // A call of the API.
      send(response, refused);
      return true;
    }
    const asked = { request, path, query: new URLSearchParams(query) };
    const reply = refusal(asked, options) ?? (await replyOf(route, asked, options));
    send(response, reply, request.method === "HEAD");
    return true;
  };
}

/** A notice is one line, which has no key of the process. */
function lineNotice({ target, notice }: SiteOptions): SiteOptions["notice"] {
  let secrets: string[] = [];
  void target.then((known) => {
    secrets = secretsOf(known);
  });
  return (text) => notice(shownText(visible(text), secrets));
}

const isRead = ({ method }: IncomingMessage) => method === "GET" || method === "HEAD";

async function replyOf(
  route: Route | undefined,
  asked: Omit<Asked, "canChange">,
  options: SiteOptions,
): Promise<Reply> {
  if (!route) return notFound();
  const [, method, reply] = route;
  if (method !== "ANY" && isRead(asked.request) !== (method === "GET")) {
    return failure(405, "INVALID_ARGUMENT", `Send this request with ${method}.`);
  }
  const { session } = options;
  return reply({ ...asked, canChange: session.isOpen(asked.request) && session.hasKey(asked.request) });
}

function routesOf(options: SiteOptions): Route[] {
  const { target, notice } = options;
  const upstream = createUpstream();
  let isReady = false;
  void target.then(() => {
    isReady = true;
  });
  return [
    [/^\/health$/, "GET", () => (isReady ? jsonReply({ status: "ok" }) : jsonReply({ status: "starting" }, 503))],
    [/^\/console\/session$/, "GET", ({ canChange }) => sessionReply(options, canChange)],
    [/^\/console\/assets\//, "GET", ({ path }) => asset(path)],
    [
      /^\/console\/api\//,
      "ANY",
      async ({ request, canChange }) => forward(request, { target: await target, canChange, upstream, notice }),
    ],
    ...operationsRoutes(options.operations, target),
    ...referenceRoutes(target),
    [pages, "GET", async () => page()],
    [/^\/(?:console|docs)\//, "ANY", () => notFound()],
  ];
}

async function page(): Promise<Reply> {
  const html = (await bundlePage()).get("index.html");
  return html ? fileReply(html, policies.page) : notFound();
}

async function asset(path: string): Promise<Reply> {
  const found = (await bundlePage()).get(path.slice("/console/assets/".length));
  return found ? fileReply(found) : notFound();
}

/** What the page learns of the console that serves it. */
async function sessionReply({ mode, target, operations }: SiteOptions, canChange: boolean): Promise<Reply> {
  const known = await target;
  const { jobs, settings, mails } = operations;
  return jsonReply({
    mode,
    api: known.api,
    version: version(),
    canChange,
    scopes: canChange ? known.scopes : ["read"],
    ownTokenIds: canChange ? await idsOf(tokensOf(known)) : [],
    operations: { jobs: jobs !== undefined, settings: settings !== undefined, mails: mails !== undefined },
  });
}

/** The public ids of the tokens, by which a list names them. */
async function idsOf(tokens: readonly string[]): Promise<string[]> {
  const { hashOf, idOf } = await import("../../../lib/store/access/auth-token.ts");
  return tokens.map((token) => idOf(hashOf(token)));
}
