// The memory of the local engine with a growing number of connections, and after all of them have ended.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { after, rounded } from "./times.ts";

/** As a page of a document: two names of each of its channels. */
const channels = ["doc/a", "doc/b", "aware/a", "aware/b"];

export async function engineMemory(sizes: readonly number[]) {
  const child = fork(fileURLToPath(new URL("engine.ts", import.meta.url)), { execArgv: ["--expose-gc"] });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const measure = async () => {
    // Buffers of messages on their way are free a little later.
    await after(500);
    child.send("measure");
    const [memory] = (await once(child, "message")) as [{ used: number; rss: number }];
    return memory;
  };
  const header = Buffer.from(JSON.stringify({ host: "local", Authorization: "ticket" })).toString("base64url");
  const connect = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/event/realtime`, ["aws-appsync-event-ws", `header-${header}`]);
    await once(socket, "open");
    for (const channel of channels) {
      const id = crypto.randomUUID();
      socket.send(
        JSON.stringify({ type: "subscribe", id, channel, authorization: { host: "local", Authorization: "ticket" } }),
      );
      await once(socket, "message");
    }
    return socket;
  };
  const rows: Record<string, string | number | undefined>[] = [];
  const sockets: WebSocket[] = [];
  const row = async (connections: number | string, base?: number) => {
    const { used, rss } = await measure();
    const each = base !== undefined && sockets.length > 0 ? rounded((used - base) / sockets.length / 1_024) : undefined;
    rows.push({
      connections,
      "used MB": rounded(used / 2 ** 20),
      "process MB": rounded(rss / 2 ** 20, 0),
      "each KB": each,
    });
    return used;
  };
  // The first one loads the code.
  (await connect()).terminate();
  const base = await row(0);
  for (const size of sizes) {
    while (sockets.length < size)
      sockets.push(...(await Promise.all(Array.from({ length: Math.min(50, size - sockets.length) }, connect))));
    await row(size, base);
  }
  for (const socket of sockets) socket.terminate();
  await row("0 again");
  child.kill();
  return rows;
}
