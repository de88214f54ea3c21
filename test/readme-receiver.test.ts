// Runs the webhook receiver of the README with the local server.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

function run(args: string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  return child as ChildProcess & { stdout: NodeJS.ReadableStream };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

it("the receiver prints the verified event of an added document", async () => {
  const dir = await mkdtemp(join(tmpdir(), "collaboration-receiver-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }));
  const server = run(["infra/local/main.ts", "--port", "0", "--data", dir, "--json"]);
  const [line] = await once(createInterface(server.stdout), "line");
  const { url, apiKey, authToken } = JSON.parse(line);

  const [, script = ""] = /```js\n(.*?)```/s.exec(await readFile(join(root, "README.md"), "utf8")) ?? [];
  const library = pathToFileURL(join(root, "node_modules/standardwebhooks/dist/index.js")).href;
  const file = join(dir, "receiver.mjs");
  const placed = script
    .replace('".data/demo.json"', JSON.stringify(join(dir, "demo.json")))
    .replace("http://127.0.0.1:8787", url)
    .replaceAll("9000", String(await freePort()))
    .replace('"standardwebhooks"', JSON.stringify(library));
  await writeFile(file, placed);
  const output: string[] = [];
  const receiver = run([file]);
  receiver.stdout.on("data", (chunk) => void output.push(String(chunk)));

  const headers = {
    "content-type": "application/json",
    "x-service-api-key": apiKey,
    "x-service-auth-token": authToken,
  };
  const post = (path: string, data: object) =>
    fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify({ data }) });
  await post("/v2/organizations/add", { organizations: [{ organizationId: "demo" }] });
  // Added repeatedly, because no event is delivered before the receiver has created its endpoint.
  for (let count = 0; !output.join("").includes("document.add"); count++) {
    await post("/v1/organizations/documents/add", { organizationId: "demo", documents: [{ documentId: `d${count}` }] });
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(output.join("")).toContain("event: 'document.add'");
});
