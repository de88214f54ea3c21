// Runs infra/examples/comments.mjs with the local server.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { projectWithClient } from "./support/built-client.ts";
import { serve, stopped } from "./support/local/serve.ts";
import { temporaryFolder } from "./support/local/start.ts";
import { scriptOf } from "./support/page-script.ts";

const project = projectWithClient();

it("the script makes eleven calls that succeed, and leaves no comment", async () => {
  const folder = temporaryFolder();
  const server = await serve(folder);
  const file = join(project(), "comments.mjs");
  await writeFile(file, scriptOf("comments.mjs", { url: server.ready.url, folder }));
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  const lines = stdout.trim().split("\n");
  expect(lines).toHaveLength(11);
  expect(stdout).not.toContain('"success":false');
  expect(lines).toContain("RESOLVED [ 'Shall we?', 'Yes, on Monday.' ]");
  expect(lines.filter((line) => line.startsWith("resolution"))).toHaveLength(1);
  expect(lines.at(-1)).toBe("0 annotations are left.");
  expect(await stopped(server, "SIGTERM")).toBe(0);
});
