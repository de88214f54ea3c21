import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { StartError } from "./start-error.ts";

export interface Listening {
  url: string;
  /** Lets answers under way finish, for a while. */
  close(): Promise<void>;
}

const graceMs = 2_000;

/** Listens on this machine's loopback address only; port 0 is any free one. */
export async function listen(server: Server, port: number): Promise<Listening> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why =
      code === "EADDRINUSE" ? `Port ${port} is in use; choose another with --port.` : `Cannot listen: ${message}`;
    throw new StartError(why, { cause });
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(impatience);
  };
  return { url, close };
}
