// Which requests the console refuses, and how a browser that has opened the printed address is known.
import type { IncomingMessage } from "node:http";
import { isForeign, isNavigation, isOfBrowser, isOwnHost } from "./guard.ts";
import { denied, pageReply, type Reply, textReply } from "./reply.ts";
import type { Asked } from "./route.ts";
import type { SiteOptions } from "./site-options.ts";

/** Pages that a link may lead to. They have no data in themselves. */
export const pages = /^\/(?:console(?:\/(?!api\/|assets\/|operations\/|mail\/|session$).*)?|docs\/?)?$/;

/** Paths that tell something of the service. */
const data = /^\/console\/(?:(?:api|operations|mail)\/|session$)/;

/** A call of the API carries its keys. With a foreign name, only a page of a foreign origin calls from a browser. */
export const refusalOfCall = (request: IncomingMessage): Reply | undefined =>
  isOfBrowser(request) && !isOwnHost(request) ? foreignHost(request) : undefined;

/** Undefined: the request may be answered. */
export function refusal(
  { request, path, query }: Omit<Asked, "canChange">,
  { mode, session, notice }: SiteOptions,
): Reply | undefined {
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

const printedAddress =
  "Open the address of the console that the terminal of npm run console has printed last. It works once.";

/** Each address works once. Without a valid one, the console of the local server can still be looked at. */
function usedAddress(mode: SiteOptions["mode"]): Reply {
  const title = "This address does not open the console";
  if (mode !== "local") return pageReply(403, { title, text: `${again} ${printedAddress}` });
  const text = `${again} Press Enter in the terminal of npm start, or start it again: it prints the next one. Without it, you may only look.`;
  return pageReply(403, { title, text, link: { to: "/", text: "Open the console to look" } });
}

const again =
  "This address was used already, or it is of an earlier start. Each one opens the console in one browser, once.";
