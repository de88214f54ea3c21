// Refuses requests that a page of another origin makes in the user's browser. Such a page can send requests to this
// machine, and with a name of its own that leads to 127.0.0.1, it could also read the replies (DNS rebinding).
import type { IncomingMessage } from "node:http";

/** Whether the request names this server as a browser of this machine does. */
export function isOwnHost({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): boolean {
  return ownHosts(socket.localPort ?? 0).includes(headers.host?.toLowerCase() ?? "");
}

function ownHosts(port: number): string[] {
  const names = ["127.0.0.1", "localhost", "[::1]"];
  const withPort = names.map((name) => `${name}:${port}`);
  // A browser leaves out the port of http.
  return port === 80 ? [...names, ...withPort] : withPort;
}

/** Whether a page of another origin makes the request. Another port of this machine is another origin. */
export function isForeign({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"] ?? "none";
  return (origin !== undefined && origin !== `http://${host}`) || !["same-origin", "none"].includes(String(site));
}

/** Whether a browser makes the request for a page. Only a command or a server sends neither header. */
export function isOfBrowser({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
}

/** Whether the user follows a link: the page that has the link gets nothing from it. */
export function isNavigation({ headers, method }: Pick<IncomingMessage, "headers" | "method">): boolean {
  const { "sec-fetch-mode": mode, "sec-fetch-dest": destination } = headers;
  return method === "GET" && headers.origin === undefined && mode === "navigate" && destination === "document";
}
