// What ends the server, besides a signal of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { documentText } from "../../support/documents.ts";
import { onFolder, run, serve } from "../../support/local/serve.ts";
import { enginesOn, temporaryFolder } from "../../support/local/start.ts";
import { root } from "../../support/sources.ts";

const ended = { timeout: 60_000, interval: 100 };

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

test("the end of npm's shell ends it, since npm passes signals to the shell only", async () => {
  const dir = temporaryFolder();
  const { start } = JSON.parse(documentText("package.json")).scripts;
  // The second command keeps the shell from being replaced by the server.
  const shell = spawn("sh", ["-c", `${start} ${onFolder(dir).join(" ")}; exit`], {
    cwd: root,
    env: {
      ...process.env,
      npm_lifecycle_event: "start",
      PATH: `${process.execPath.replace(/[^/]*$/, "")}:${process.env.PATH}`,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void shell.kill("SIGKILL"));
  const [line] = await once(createInterface(shell.stdout as NodeJS.ReadableStream), "line");
  const { pid } = JSON.parse(String(line));
  expect(enginesOn(dir)).toHaveLength(1);
  shell.kill("SIGTERM");
  await expect.poll(() => enginesOn(dir), ended).toEqual([]);
  await expect.poll(() => isRunning(pid), ended).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
