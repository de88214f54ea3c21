import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type Egress, egress } from "../../../lib/net/egress.ts";
import { cert, key } from "./certificate.ts";

/** Serves HTTP until the test ends; the port. */
export async function listen(answer: RequestListener, host = "127.0.0.1", port = 0): Promise<number> {
  return started(createServer(answer), host, port);
}

/** Serves HTTPS until the test ends, as hooks.example; the port. */
export async function listenTls(answer: RequestListener): Promise<number> {
  return started(createTlsServer({ cert, key }, answer), "127.0.0.1", 0);
}

/** Accepts connections that the test answers byte by byte; the port. */
export async function listenRaw(connected: (socket: Socket) => void): Promise<number> {
  const server = createSocketServer((socket) => {
    socket.on("error", () => socket.destroy());
    connected(socket);
  });
  return started(server, "127.0.0.1", 0);
}

async function started(server: Server, host: string, port: number): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => open.add(socket));
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Resolves every name to these addresses, one list a look-up; the last one stays. Counts in `names`. */
export function resolver(...lists: string[][]): { resolve: Egress["resolve"]; names: string[] } {
  const names: string[] = [];
  const resolve = async (name: string) => lists[Math.min(names.push(name), lists.length) - 1] ?? [];
  return { resolve, names };
}

/** Allows 127.0.0.1, and nothing else that is not public; every name is 127.0.0.1. */
export const toLocalhost = egress("127.0.0.1/32", resolver(["127.0.0.1"]).resolve);

/** Allows what is public; every name is in the documentation range. */
export const toPublic = egress("", resolver(["192.0.2.1"]).resolve);
