// What ends the server, besides a signal of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { onFolder, run, serve, stopped } from "../../support/local/serve.ts";
import { enginesOn, temporaryFolder } from "../../support/local/start.ts";
import { root } from "../../support/sources.ts";

const ended = { timeout: 300_000, interval: 100 };

test("a closed output ends it at its next line, and its engine", async () => {
  const dir = temporaryFolder();
  const server = await serve(dir);
  server.process.stderr?.destroy();
  // A call is a line of standard error.
  await fetch(`${server.ready.url}/nowhere`).catch(() => undefined);
  expect(await server.exit).toBe(0);
  expect(enginesOn(dir)).toEqual([]);
});

test("an output that is closed during the start ends it too", async () => {
  const dir = temporaryFolder();
  const { process: server, exit } = run(["--port", "0", "--data", dir]);
  // The first line comes before anything else has started, and the next one when the service is ready.
  await once(createInterface(server.stdout as NodeJS.ReadableStream), "line");
  server.stdout?.destroy();
  expect(await exit).toBe(0);
  expect(enginesOn(dir)).toEqual([]);
});

test.each([
  ["npm", "SIGTERM", "npm passes it to its shell only"],
  ["npm", "SIGKILL", "npm passes nothing to its shell"],
  ["its shell", "SIGKILL", "npm ends with it"],
] as const)("%s ends it at %s: %s", async (name, signal, _) => {
  const dir = temporaryFolder();
  const npm = npmStart(dir);
  const [line] = await once(createInterface(npm.stdout as NodeJS.ReadableStream), "line");
  const { pid } = JSON.parse(String(line));
  expect(enginesOn(dir)).toHaveLength(1);
  const ofNpm = npm.pid as number;
  process.kill(name === "npm" ? ofNpm : childOf(ofNpm), signal);
  await expect.poll(() => isRunning(pid), ended).toBe(false);
  expect(enginesOn(dir)).toEqual([]);
});

test("an npm that ended before the first line ends it too", async () => {
  const dir = temporaryFolder();
  const npm = spawn("true");
  await once(npm, "exit");
  const { exit } = run(onFolder(dir), { NPM_PID: String(npm.pid) });
  expect(await exit).toBe(0);
  expect(enginesOn(dir)).toEqual([]);
});

test("a data folder that is deleted meanwhile does not keep its engine", async () => {
  const dir = temporaryFolder();
  const server = await serve(dir);
  expect(enginesOn(dir)).toHaveLength(1);
  rmSync(dir, { recursive: true });
  expect(await stopped(server, "SIGTERM")).toBe(0);
  expect(enginesOn(dir)).toEqual([]);
});

/** The process group is npm's own, so that a failed test leaves nothing. */
function npmStart(dir: string): ChildProcess {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const args = ["start", "--silent", "--", ...onFolder(dir)];
  const npm = spawn("npm", args, { cwd: root, env, stdio: ["ignore", "pipe", "ignore"], detached: true });
  onTestFinished(() => {
    if (isRunning(-(npm.pid as number))) process.kill(-(npm.pid as number), "SIGKILL");
  });
  return npm;
}

const childOf = (pid: number) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
