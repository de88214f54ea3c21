// Takes the place of the reader's script, and tries what a malicious file would. Prints what each attempt gave.
import * as dgram from "node:dgram";
import * as dns from "node:dns";
import * as fs from "node:fs";
import { request } from "node:http";
import * as net from "node:net";
import * as os from "node:os";

const [, , port] = process.argv;
const event = (target, name) => new Promise((resolve, reject) => target.once(name, resolve).once("error", reject));

const attempts = {
  connect: () => event(net.connect({ port: Number(port), host: "127.0.0.1" }), "connect"),
  connectByName: () => event(net.connect({ port: Number(port), host: "localhost" }), "connect"),
  connectToFile: () => event(net.connect({ path: "/tmp/none.sock" }), "connect"),
  request: () => event(request({ port: Number(port), host: "127.0.0.1" }).end(), "response"),
  fetch: () => fetch(`http://127.0.0.1:${port}/`),
  listen: () => event(net.createServer().listen(0), "listening"),
  listenOnFile: () => event(net.createServer().listen("\0none"), "listening"),
  handle: () => net._createServerHandle("127.0.0.1", 0, 4).bind("127.0.0.1", 0),
  datagram: () =>
    new Promise((done, fail) => dgram.createSocket("udp4").send("x", port, "127.0.0.1", (e) => (e ? fail(e) : done()))),
  lookup: () => dns.promises.lookup("localhost"),
  lookupLater: async () => (await import("node:dns/promises")).lookup("localhost"),
  resolve: () => new dns.promises.Resolver().resolve4("localhost"),
  signal: () => process.kill(process.ppid, 0),
  rawSignal: () => process._kill(process.ppid, 0),
  debug: () => process._debugProcess(process.ppid),
  priority: () => os.setPriority(process.ppid, 19),
  start: async () => (await import("node:child_process")).execFileSync("true"),
  thread: async () => new (await import("node:worker_threads")).Worker("1", { eval: true }),
  write: () => fs.writeFileSync("/tmp/written-by-a-reader", ""),
  binding: () => process.binding("tcp_wrap"),
};

export async function main() {
  const results = { environment: Object.keys(process.env).filter((name) => name !== "LD_LIBRARY_PATH") };
  // Some attempts fail in a later turn, outside their promise.
  let failLate = () => {};
  process.on("uncaughtException", (error) => failLate(error));
  for (const [name, attempt] of Object.entries(attempts)) {
    const late = new Promise((resolve, reject) => {
      failLate = reject;
      setTimeout(resolve, 5_000, "no answer");
    });
    const made = new Promise((resolve) => resolve(attempt())).then(() => "done");
    results[name] = await Promise.race([made, late]).catch(({ code, message }) => code ?? message);
  }
  process.stdout.write(JSON.stringify(results), () => process.exit());
}
