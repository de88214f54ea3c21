// Runs infra/examples/comments.mjs and the code of functions/comments/COMMENTS.md with the local server.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { ShownDocument } from "../infra/client/source/live/document.ts";
import { addExampleData, posterTo } from "../infra/local/example-data.ts";
import { projectWithClient } from "./support/built-client.ts";
import { clientOf, place, reached } from "./support/client/live-clients.ts";
import { documentText } from "./support/documents.ts";
import { serve, stopped } from "./support/local/serve.ts";
import { temporaryFolder } from "./support/local/start.ts";
import { scriptOf } from "./support/page-script.ts";

const project = projectWithClient();

interface Thread {
  status: string;
  comments: { text: string }[];
}

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

it("the live code shows each step, and leaves no comment", async () => {
  const server = await serve(temporaryFolder());
  const post = posterTo(server.ready);
  await addExampleData(server.ready);
  const client = await clientOf("alice", { dir: project(), url: server.ready.url, post });
  await reached<ShownDocument>(client.document(place), ({ comments }) => comments);
  const [, code = ""] = documentText("functions/comments/COMMENTS.md").split(/```js\n|```\n/);
  const shown: string[] = [];
  const show = (threads: Thread[]) =>
    shown.push(threads.flatMap(({ status, comments }) => comments.map(({ text }) => `${text} ${status}`)).join());
  await new Function("client", "show", `return (async () => {${code}})();`)(client, show);
  for (const step of ["Shall we? OPEN", "Yes. OPEN", "Yes, on Monday. OPEN", "Yes, on Monday. RESOLVED"]) {
    expect(shown).toContainEqual(expect.stringContaining(step));
  }
  expect(shown.at(-1)).not.toContain("Shall we?");
  expect(await stopped(server, "SIGTERM")).toBe(0);
});
