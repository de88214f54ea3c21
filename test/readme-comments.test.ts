// Runs the script of functions/content/COMMENTS.md with the local server.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { serve, stopped } from "./support/local/serve.ts";

it("the script makes ten calls that succeed, and leaves no comment", async () => {
  const dir = await mkdtemp(join(tmpdir(), "collaboration-comments-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }));
  const server = await serve(dir);
  const page = await readFile(new URL("../functions/content/COMMENTS.md", import.meta.url), "utf8");
  const [, script = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
  const file = join(dir, "comments.mjs");
  const placed = script
    .replace('".data/demo.json"', JSON.stringify(join(dir, "demo.json")))
    .replace("http://127.0.0.1:8787", server.ready.url);
  await writeFile(file, placed);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  const lines = stdout.trim().split("\n");
  expect(lines.filter((line) => line.startsWith("/v2/"))).toHaveLength(10);
  expect(stdout).not.toContain('"success":false');
  expect(lines).toContain("[ 'Shall we?', 'Yes, on Monday.' ]");
  expect(lines.at(-1)).toBe("0 annotations are left.");
  expect(await stopped(server, "SIGTERM")).toBe(0);
});
