// Runs the local server as a process.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { root } from "../sources.ts";

export interface Run {
  process: ChildProcess;
  stdout: Promise<string>;
  stderr: Promise<string>;
  exit: Promise<number | null>;
}

export interface Server extends Run {
  ready: {
    url: string;
    apiKey: string;
    authToken: string;
    readToken: string;
    /** Opens the console for changes. It works once. */
    console: string;
    pid: number;
    seed?: number;
  };
}

/** The process is killed after the test. */
export function run(args: string[], env: Record<string, string> = {}, program?: string): Run {
  const started = start(args, env, program);
  onTestFinished(() => void started.process.kill("SIGKILL"));
  return started;
}

/** For a server of several tests. Its file kills the process. */
export function start(
  args: string[],
  env: Record<string, string> = {},
  program = join(root, "infra/local/main.ts"),
): Run {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit").then(([code]) => code as number | null);
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  // A test can close an output.
  for (const each of [stdout, stderr]) each.catch(() => {});
  return { process: child, stdout, stderr, exit };
}

/** Starts a server and waits until it is ready. `ready` is its first line of output. */
export async function serve(dir: string, ...more: string[]): Promise<Server> {
  return whenReady(run(onFolder(dir, more)));
}

export const onFolder = (dir: string, more: string[] = []) => ["--port", "0", "--data", dir, "--json", ...more];

/** Waits until the server is ready. */
export async function whenReady(started: Run): Promise<Server> {
  const line = once(started.process.stdout as NodeJS.ReadableStream, "data");
  const failed = started.exit.then(async () => Promise.reject(new Error(await started.stderr)));
  return { ...started, ready: JSON.parse(String((await Promise.race([line, failed]))[0])) };
}

/** Calls an endpoint of the server. Returns the body of the reply. */
export async function post({ ready }: Server, { path }: { path: string }, data: unknown) {
  const headers = {
    "content-type": "application/json",
    "x-service-api-key": ready.apiKey,
    "x-service-auth-token": ready.authToken,
  };
  const response = await fetch(ready.url + path, { method: "POST", headers, body: JSON.stringify({ data }) });
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  return (await response.json()) as any;
}

export async function stopped({ process: child, exit }: Run, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  return exit;
}
