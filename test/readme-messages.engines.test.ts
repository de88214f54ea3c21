// Runs the commands of functions/messages/MESSAGES.md, and infra/examples/message.mjs with the local server.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import PostalMime from "postal-mime";
import { expect, it, onTestFinished } from "vitest";
import { run } from "./support/admin.ts";
import { projectWithClient } from "./support/built-client.ts";
import { serve, stopped } from "./support/local/serve.ts";
import { temporaryFolder } from "./support/local/start.ts";
import { scriptOf } from "./support/page-script.ts";
import { root } from "./support/sources.ts";

const page = await readFile(join(root, "functions/messages/MESSAGES.md"), "utf8");

const project = projectWithClient();

async function newFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "collaboration-messages-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

it("the commands print and write messages", async () => {
  const dir = await newFolder();
  const commands = [...page.matchAll(/^npm run admin -- (.+)$/gm)].map(([, command = ""]) => command.split(" "));
  expect(commands).toHaveLength(5);
  for (const command of commands) {
    const placed = command.map((word, index) => (command[index - 1] === "--out" ? join(dir, word) : word));
    const { status, stdout, stderr } = await run(placed);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    if (!command.includes("--out")) expect(stdout).toMatch(/^Subject: Alice Meyer mentioned you on Launch plan\n/);
  }
  expect((await readdir(dir)).sort()).toEqual(["mail.eml", "mail.html", "slack.json", "template-data.json"]);
});

it("the script sends a mail with a link to the document", async () => {
  const folder = temporaryFolder();
  const server = await serve(folder);
  const file = join(project(), "message.mjs");
  await writeFile(file, scriptOf("message.mjs", { url: server.ready.url, folder }));
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  const mail = await PostalMime.parse(stdout);
  expect(mail.subject).toBe("Alice mentioned you on Launch plan");
  expect(mail.to).toEqual([{ name: "", address: "bob@example.com" }]);
  expect(mail.text).toContain("https://app.example.com/documents/plan");
  expect(await stopped(server, "SIGTERM")).toBe(0);
});
