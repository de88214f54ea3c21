// Starts the DynamoDB engine's binary. The engine survives when its parent is killed; `dynamodb.ts` finds it again.
import { spawn } from "node:child_process";
import { closeSync, existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withFreePort } from "./engine-port.ts";
import { openOwn } from "./files.ts";
import { end, identify, type ProcessId } from "./processes.ts";
import { StartError } from "./start-error.ts";

export interface Engine {
  process: ProcessId;
  port: number;
}

const startTimeoutMs = 10_000;
const attemptsMax = 3;

/**
 * Starts an engine on the database file. Calls `onSpawn` before the engine is ready, so that its process is recorded.
 */
export async function startEngine(
  files: { database: string; logFile: string },
  onSpawn: (engine: Engine) => void,
  withPort = withFreePort,
): Promise<Engine> {
  for (let attempt = 1; ; attempt++) {
    const started = await withPort((port) => startOn(port, files, onSpawn));
    if ("port" in started) return started;
    // Another program can take the port between the choice and the engine's start.
    if (attempt >= attemptsMax || !/in use/i.test(started.output)) {
      throw new StartError(`The DynamoDB engine did not start on ${files.database}: ${started.output}`);
    }
  }
}

/** Starts an engine. Returns its output when it does not begin to listen. */
async function startOn(
  port: number,
  { database, logFile }: { database: string; logFile: string },
  onSpawn: (engine: Engine) => void,
): Promise<Engine | { output: string }> {
  // The engine would create both files with the umask of this process. The journals get the mode of the database.
  closeSync(openOwn(database));
  rmSync(logFile, { force: true });
  const log = openOwn(logFile);
  // Detached: Ctrl-C in the terminal must not stop the engine while calls are in flight. Its output goes to a file,
  // because a pipe would break when this process is killed.
  const child = spawn(binaryPath(), ["--host", "127.0.0.1", "--port", String(port), "--db-path", database], {
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const failed = new Promise<Error>((resolve) => child.once("error", resolve));
  const process = child.pid === undefined ? undefined : identify(child.pid);
  if (process) onSpawn({ process, port });
  child.unref();
  if (process && (await waitUntilListening(() => child.exitCode === null && child.signalCode === null, logFile))) {
    return { process, port };
  }
  if (process) await end(process);
  const output = readFileSync(logFile, "utf8").trim();
  return { output: output || (child.pid === undefined ? String(await failed) : "no output") };
}

async function waitUntilListening(isRunning: () => boolean, logFile: string): Promise<boolean> {
  for (let waited = 0; waited < startTimeoutMs; waited += 10) {
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
  const hint = `Install it with "npm install --no-save ${name}", or set DYNAMODB_ENDPOINT to the URL of another engine.`;
  throw new StartError(`The DynamoDB engine ${name} is not installed. ${hint}`);
}

function installedFolder(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined; // MODULE_NOT_FOUND: npm installs the optional package only on its platform.
  }
}
