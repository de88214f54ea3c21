// The processes of a measurement: pages, the local server, and the servers of others.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Post, posterTo } from "../../../infra/local/example-data.ts";
import type { Answers } from "./pages.ts";

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

type Asking = {
  [Name in keyof Answers]: (...args: Parameters<Answers[Name]>) => Promise<Awaited<ReturnType<Answers[Name]>>>;
};

/** Pages in a process. Each question is a method. */
export type Group = Asking & { end(): void };

export function newGroup(): Group {
  const child = fork(fileOf("pages.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  child.on("message", ({ id, result, error }: { id: number; result: never; error?: string }) => {
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  child.on("exit", () => {
    for (const each of waiting.values()) each.reject(new Error("A process with pages has ended."));
  });
  let last = 0;
  const ask =
    (name: string) =>
    (...args: unknown[]) => {
      const answer = Promise.withResolvers<never>();
      waiting.set(++last, answer);
      child.send({ id: last, name, args });
      return answer.promise;
    };
  const end = () => void child.kill("SIGKILL");
  return new Proxy({} as Group, {
    get: (_, name) => (name === "end" ? end : name === "then" ? undefined : ask(String(name))),
  });
}

/** A line that the service logs for a call. */
export interface CallLine {
  at: number;
  endpoint: string;
  status: string;
  durationMs: number;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  liveRequests?: number;
}

export interface Service {
  url: string;
  pid(): number;
  post: Post;
  /** The calls since the last call of this. */
  lines(): CallLine[];
  kill(): Promise<void>;
  /** After `kill`: the same service, on the same data and the same port. */
  again(): Promise<void>;
  /** Ends its engines too. */
  stop(): Promise<void>;
}

/** Runs the local server, as `npm start` does. It has the example. */
export async function startService(dir: string, port: number): Promise<Service> {
  const args = ["--port", String(port), "--data", dir, "--json"];
  // Nothing of the engines of this process.
  const { PATH, HOME } = process.env;
  const lines: CallLine[] = [];
  let child: ChildProcess;
  async function run(...more: string[]) {
    const started = spawn(process.execPath, [fileOf("../../../infra/local/main.ts"), ...args, ...more], {
      // It ends with this process.
      env: { PATH, HOME, NPM_PID: String(process.pid), WORKSPACE_CALLS_PER_SECOND: "100000" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    let last = "";
    createInterface({ input: started.stderr }).on("line", (line) => {
      last = line;
      if (line.includes('"message":"call"')) lines.push({ ...JSON.parse(line), at: Date.now() });
    });
    const failed = once(started, "exit").then(() => Promise.reject(new Error(`The service has ended: ${last}`)));
    // It also ends when the bench wants that.
    failed.catch(() => undefined);
    const [ready] = await Promise.race([once(started.stdout, "data"), failed]);
    return JSON.parse(String(ready));
  }
  const ready = await run("--example");
  return {
    url: ready.url,
    pid: () => child.pid ?? 0,
    post: posterTo(ready),
    lines: () => lines.splice(0),
    kill: () => ended(child, "SIGKILL"),
    again: async () => void (await run()),
    stop: () => ended(child, "SIGTERM"),
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

/** A server of another project, as its documentation starts it. */
export async function startPeer(kind: "y-websocket" | "hocuspocus", port: number) {
  const file =
    kind === "hocuspocus" ? fileOf("hocuspocus.ts") : fileOf("../../../node_modules/@y/websocket-server/src/server.js");
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return { url: `ws://127.0.0.1:${port}`, kill: () => ended(child, "SIGKILL") };
  }
}
