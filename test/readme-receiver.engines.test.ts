// Runs infra/examples/receiver.mjs with the local server, twice: then its endpoint exists.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { projectWithClient } from "./support/built-client.ts";
import { freePort } from "./support/free-port.ts";
import { post, serve, stopped } from "./support/local/serve.ts";
import { temporaryFolder } from "./support/local/start.ts";
import { scriptOf } from "./support/page-script.ts";

const project = projectWithClient();

it("the receiver prints verified events, also after a restart, and says that another one runs", async () => {
  const folder = temporaryFolder();
  const server = await serve(folder);
  const port = String(await freePort());
  const file = join(project(), "receiver.mjs");
  await writeFile(file, scriptOf("receiver.mjs", { url: server.ready.url, folder }).replaceAll("9000", port));

  const first = started(file);
  expect(await outputUntil(first, "event: 'webhook_endpoint.test'")).toContain("Verified:");
  await post(server, { path: "/v2/organizations/add" }, { organizations: [{ organizationId: "demo" }] });
  await outputUntil(first, "event: 'organization.add'");
  first.kill();
  await once(first, "exit");

  await outputUntil(started(file), "event: 'webhook_endpoint.test'");
  const third = started(file, "pipe");
  const [status, said] = await Promise.all([once(third, "exit"), text(third.stderr as NodeJS.ReadableStream)]);
  expect(status[0]).toBe(1);
  expect(said).toBe(`Port ${port} is in use, perhaps by another receiver: end it with Ctrl-C.\n`);
  const listed = await post(server, { path: "/v2/workspace/advancedwebhook/endpoints/get" }, {});
  expect(listed.result.data.endpoints).toHaveLength(1);
  expect(await stopped(server, "SIGTERM")).toBe(0);
});

function started(file: string, stderr: "inherit" | "pipe" = "inherit"): ChildProcess {
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", stderr] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** What a process prints until it prints this text. */
function outputUntil({ stdout }: ChildProcess, text: string): Promise<string> {
  return new Promise((resolve) => {
    let output = "";
    stdout?.on("data", function listen(chunk) {
      output += chunk;
      if (!output.includes(text)) return;
      stdout.off("data", listen);
      resolve(output);
    });
  });
}
