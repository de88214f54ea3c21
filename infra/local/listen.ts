import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { config } from "../../lib/config.ts";
import { isOfBrowser, isOwnHost } from "../console/server/guard.ts";
import { StartError } from "./start-error.ts";

export interface Listening {
  url: string;
  /** Waits up to two seconds for open requests, then closes their connections. */
  close(): Promise<void>;
}

const graceMs = 2_000;
const askMs = 1_000;

/**
 * An HTTP server. When `respond` fails, the client's connection ends: the client has gone, or what is behind the server
 * cannot be reached.
 */
export function httpServer(respond: (request: IncomingMessage, response: ServerResponse) => unknown): Server {
  return createServer(async (request, response) => {
    try {
      await respond(request, response);
    } catch {
      request.socket.destroy();
    }
  });
}

/**
 * As `httpServer`, for programs of this machine only. A browser gets 403: pages of any origin can send requests to such
 * a server, and with a name that leads to 127.0.0.1, they could read the replies.
 */
export function privateHttpServer(respond: Parameters<typeof httpServer>[0]): Server {
  return httpServer((request, response) =>
    isOfBrowser(request) || !isOwnHost(request) ? response.writeHead(403).end() : respond(request, response),
  );
}

/** Listens on the loopback address only. Port 0 selects a free port. */
export async function listen(server: Server, port: number): Promise<Listening> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason =
      code === "EADDRINUSE"
        ? `Port ${port} is in use${await userOf(port)}. Choose another port with --port, or any free one with --port 0.`
        : `Cannot listen on port ${port}: ${message}`;
    throw new StartError(reason, { cause });
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const forceClose = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(forceClose);
  };
  return { url, close };
}

/** Asks whoever uses the port: a server of this service answers in its envelope. Empty when it is something else. */
async function userOf(port: number): Promise<string> {
  const signal = AbortSignal.timeout(askMs * config.slowness());
  const reply = await fetch(`http://127.0.0.1:${port}/v2/no-such-path`, { method: "POST", signal }).catch(
    () => undefined,
  );
  const isOurs = reply?.status === 404 && reply.headers.has("x-request-id");
  return isOurs ? " by another server of this service" : "";
}
