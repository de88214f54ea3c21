// The memory of `npm start` when every endpoint was called, with the console and the reference open.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { OpenApi } from "../../../infra/openapi/document.ts";
import type { Operation } from "../../../infra/openapi/operation.ts";
import { onFolder, run, type Server, whenReady } from "../../support/local/serve.ts";
import { enginesOn, temporaryFolder } from "../../support/local/start.ts";

const megabytesMax = 400;
const callsAtOnce = 4;

interface Call {
  path: string;
  method: string;
  body: string | null;
}

/** The example of each operation. A command gets them with the keys of the demo. */
async function examplesOf({ ready }: Server): Promise<Call[]> {
  const { paths } = (await (await fetch(`${ready.url}/openapi.json`)).json()) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path: path.replace("{apiKey}", ready.apiKey),
      method: method.toUpperCase(),
      body: exampleOf(operation),
    })),
  );
}

function exampleOf({ requestBody }: Operation): string | null {
  const { content } = (requestBody ?? {}) as { content?: Record<string, { example: unknown }> };
  return content ? JSON.stringify(content["application/json"]?.example) : null;
}

/** Returns the HTTP status. */
async function send({ ready }: Server, { path, method, body }: Call): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "x-service-api-key": ready.apiKey,
    "x-service-auth-token": ready.authToken,
  };
  const response = await fetch(ready.url + path, { method, headers, body });
  await response.arrayBuffer();
  return response.status;
}

async function sendAll(server: Server, calls: readonly Call[]): Promise<number[]> {
  const statuses: number[] = [];
  const rest = calls.values();
  const sendRest = async () => {
    for (const call of rest) statuses.push(await send(server, call));
  };
  await Promise.all(Array.from({ length: callsAtOnce }, sendRest));
  return statuses;
}

/** Opens what a browser would, each part of which the server loads at its first request. */
async function openPages({ ready }: Server): Promise<void> {
  for (const path of ["/console", "/docs", "/docs/openapi.json"]) {
    expect((await fetch(ready.url + path)).status, path).toBe(200);
  }
  for (const part of ["settings", "mails", "jobs"]) {
    expect((await fetch(`${ready.url}/console/operations/${part}`)).status, part).toBe(200);
  }
}

const residentMegabytes = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;

test.skipIf(!existsSync("/proc/self/status"))(
  `the server and its engine stay below ${megabytesMax} MB (skipped where the system has no /proc)`,
  async () => {
    const dir = temporaryFolder();
    // The tests keep compiled code on disk. Code that is read from there takes more memory.
    const env = { NODE_DISABLE_COMPILE_CACHE: "1" };
    const server = await whenReady(run(onFolder(dir, ["--example", "--demo-ai"]), env));
    await openPages(server);
    const statuses = await sendAll(server, await examplesOf(server));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(statuses.length / 2);
    const parts = [server.ready.pid, ...enginesOn(dir)].map(residentMegabytes);
    expect(parts).toHaveLength(2);
    expect(parts.reduce((sum, part) => sum + part)).toBeLessThan(megabytesMax);
  },
  // It loads every bundle.
  300_000,
);
