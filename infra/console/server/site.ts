// The console's paths: its page, the reference, and what they ask this process for.
import type { IncomingMessage, ServerResponse } from "node:http";
import { pathAndQuery } from "../../local/gateway-event.ts";
import { visible } from "../../local/visible.ts";
import { isForeign, isNavigation, isOfBrowser, isOwnHost } from "./guard.ts";
import { nearestPage } from "./nearest-page.ts";
import { operationsRoutes } from "./operations-routes.ts";
import { bundlePage } from "./page-bundle.ts";
import { forward } from "./proxy.ts";
import { referenceRoutes } from "./reference.ts";
import {
  denied,
  failure,
  fileReply,
  jsonReply,
  notFound,
  pageReply,
  policies,
  type Reply,
  send,
  textReply,
} from "./reply.ts";
import type { Asked, Route } from "./route.ts";
import { sessionReply } from "./session-reply.ts";
import type { SiteOptions } from "./site-options.ts";
import { secretsOf } from "./target.ts";
import { shownText } from "./terminal.ts";
import { createUpstream } from "./upstream.ts";
import { printedAddress, usedAddress } from "./used-address.ts";

/** Pages that a link may lead to. They have no data in themselves. */
const pages = /^\/(?:console(?:\/(?!api\/|assets\/|operations\/|mail\/|session$).*)?|docs\/?)?$/;

/** Paths that tell something of the service. */
const data = /^\/console\/(?:(?:api|operations|mail)\/|session$)/;

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
      if (await refusesForeignName(request, response)) return true;
      const meant = isRead(request) ? nearestPage(path) : undefined;
      if (meant === undefined) return false; // A call of the API.
      await send(response, notFound(`Nothing has this path. Did you mean ${meant}?`), request.method === "HEAD");
      return true;
    }
    const asked = { request, path, query: new URLSearchParams(query) };
    const reply = refusal(asked, options) ?? (await replyOf(route, asked, options));
    await send(response, reply, request.method === "HEAD");
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

/** A call of the API carries its keys. With a foreign name, only a page of a foreign origin calls from a browser. */
async function refusesForeignName(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (!isOfBrowser(request) || isOwnHost(request)) return false;
  await send(response, foreignHost(request));
  return true;
}

function refusal({ request, path, query }: Omit<Asked, "canChange">, { mode, session, notice }: SiteOptions) {
  if (!isOwnHost(request)) return foreignHost(request);
  const isPage = pages.test(path);
  if (isForeign(request) && !(isPage && isNavigation(request))) {
    return denied("Another website has sent this request. Open the address yourself.");
  }
  const token = isPage && request.method === "GET" ? query.get("token") : null;
  if (token !== null && session.redeem(token)) {
    notice(`Console     ${session.address(`http://${request.headers.host}`)} (for another browser)`);
    return moved(path + session.fragment, { "set-cookie": session.cookie(request) });
  }
  if (session.isOpen(request)) {
    if (mode !== "local" && data.test(path) && !session.hasKey(request)) return denied(lacksKey);
    return token === null ? undefined : moved(path);
  }
  if (token !== null) return usedAddress(mode);
  return mode === "local" ? undefined : pageReply(403, { title: "Open the printed address", text: printedAddress });
}

const lacksKey = "This browser lacks the key of the console. Open the last address that the terminal shows.";

const moved = (location: string, headers = {}) => textReply(303, "", { location, ...headers });

const foreignHost = ({ socket }: IncomingMessage) =>
  denied(`This server is for this machine only. Open it as http://127.0.0.1:${socket.localPort}/.`);

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
