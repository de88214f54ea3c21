// Starts the DynamoDB engine's binary. It goes on when its parent is killed; `dynamodb.ts` finds it again.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { end, identify, type ProcessId } from "./processes.ts";
import { StartError } from "./start-error.ts";

export interface Engine {
  process: ProcessId;
  port: number;
}

const startMs = 10_000;
const attemptsMax = 3;

/** Starts an engine on the database file. `remember` is called at once, before it can be known to listen. */
export async function startEngine(
  { database, logFile }: { database: string; logFile: string },
  remember: (engine: Engine) => void,
): Promise<Engine> {
  const binary = binaryPath();
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const log = openSync(logFile, "w", 0o600);
    // A group of its own: the terminal's Ctrl-C must not end it while calls are still being answered. Its output goes
    // to a file, since a pipe would break when this process is killed.
    const child = spawn(binary, ["--host", "127.0.0.1", "--port", String(port), "--db-path", database], {
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    const failed = new Promise<Error>((resolve) => child.once("error", resolve));
    const process = child.pid === undefined ? undefined : identify(child.pid);
    if (process) remember({ process, port });
    child.unref();
    if (process && (await listens(() => child.exitCode === null && child.signalCode === null, logFile))) {
      return { process, port };
    }
    if (process) await end(process);
    const said = readFileSync(logFile, "utf8").trim() || (child.pid === undefined ? String(await failed) : "no output");
    // Another process can take the port between our look and the engine's.
    if (attempt >= attemptsMax || !/address.*in use/i.test(said))
      throw new StartError(`The DynamoDB engine did not start: ${said}`);
  }
}

async function listens(isRunning: () => boolean, logFile: string): Promise<boolean> {
  for (let waited = 0; waited < startMs; waited += 10) {
    if (!isRunning()) return false;
    if (readFileSync(logFile, "utf8").includes("listening on")) return true;
    await sleep(10);
  }
  return false;
}

function binaryPath(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  const folder = installedFolder(name);
  const binary = folder && join(folder, process.platform === "win32" ? "dynoxide.exe" : "dynoxide");
  if (binary && existsSync(binary)) return binary;
  const remedy = `Add the package with "npm install --no-save ${name}", or set DYNAMODB_ENDPOINT.`;
  throw new StartError(`The DynamoDB engine ${name} is not installed. ${remedy}`);
}

function installedFolder(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined; // MODULE_NOT_FOUND: optional packages are left out on other platforms.
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
