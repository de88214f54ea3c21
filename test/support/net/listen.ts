import type { RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { httpServer } from "../../../infra/local/listen.ts";
import { type Egress, egress } from "../../../lib/net/egress.ts";
import { cert, key } from "./certificate.ts";

/** Serves HTTP until the test ends. Returns the port. */
export async function listen(respond: RequestListener, host = "127.0.0.1", port = 0): Promise<number> {
  return started(httpServer(respond), host, port);
}

/** Serves HTTP on the same port of several addresses until the test ends. Returns the port. */
export async function listenAtAll(servers: Record<string, RequestListener>): Promise<number> {
  const [[host, respond], ...others] = Object.entries(servers) as [
    [string, RequestListener],
    ...[string, RequestListener][],
  ];
  for (;;) {
    const port = await listen(respond, host);
    const started = await Promise.allSettled(others.map(([other, each]) => listen(each, other, port)));
    const failures = started.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    if (failures.length === 0) return port;
    // Another process can have the port of one of the addresses.
    if (failures.some(({ code }) => code !== "EADDRINUSE")) throw failures[0];
  }
}

/** Serves HTTPS as hooks.example until the test ends. Returns the port. */
export async function listenTls(respond: RequestListener): Promise<number> {
  return started(createTlsServer({ cert, key }, respond), "127.0.0.1", 0);
}

/** Accepts connections whose bytes the test writes itself. Returns the port. */
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
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Resolves every name: the n-th lookup returns the n-th list, or the last one. `names` has the names looked up. */
export function resolver(...lists: string[][]): { resolve: Egress["resolve"]; names: string[] } {
  const names: string[] = [];
  const resolve = async (name: string) => lists[Math.min(names.push(name), lists.length) - 1] ?? [];
  return { resolve, names };
}

/** Allows 127.0.0.1 and public addresses. Every name resolves to 127.0.0.1. */
export const toLocalhost = egress("127.0.0.1/32", resolver(["127.0.0.1"]).resolve);

/** Allows public addresses only. Every name resolves to an address of the documentation range. */
export const toPublic = egress("", resolver(["192.0.2.1"]).resolve);
