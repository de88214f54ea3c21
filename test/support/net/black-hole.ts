import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Listens, and accepts nothing: its thread sleeps. */
const script = `const server = require("node:net").createServer();
server.listen({ host: process.argv[1], port: process.argv[2], backlog: 1 }, () => {
  require("node:fs").writeSync(1, "ready");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

/** The system makes this many connections for a server that accepts none, and ignores others, as a firewall does. */
const connectionsMade = 2;

/** Until the test ends, connections to this address get no answer. */
export async function blackHole(host: string, port: number): Promise<void> {
  const server = spawn(process.execPath, ["-e", script, host, String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  const sockets: Socket[] = [];
  onTestFinished(() => {
    server.kill("SIGKILL");
    for (const socket of sockets) socket.destroy();
  });
  await once(server.stdout, "data");
  for (let count = 0; count < connectionsMade; count++) {
    const socket = connect(port, host).on("error", () => {});
    sockets.push(socket);
    await once(socket, "connect");
  }
}
