import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import jwt from "jsonwebtoken";
import { describe, expect, onTestFinished, test } from "vitest";
import { run, serve, stopped } from "../../support/local/serve.ts";
import { enginesOn, temporaryFolder } from "../../support/local/start.ts";

async function failure(args: string[], env?: Record<string, string>): Promise<string> {
  const { stdout, stderr, exit } = run(args, env);
  expect(await exit).toBe(1);
  expect(await stdout).toMatch(/^(?:Starting [^\n]*\n)?$/);
  return stderr;
}

describe("the server fails with one line and status 1", () => {
  const oneLine = (what: string) => new RegExp(`^[^\\n]*${what}[^\\n]*\\n$`);

  test("when the port is in use", async () => {
    const dir = temporaryFolder();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    expect(await failure(["--port", String(port), "--data", dir])).toMatch(
      oneLine(`Port ${port} is in use. Choose another port with --port, or any free one with --port 0`),
    );
    expect(enginesOn(dir)).toEqual([]);
  });

  test("when npm has taken the options", async () => {
    const taken = { npm_lifecycle_event: "start", npm_config_port: "true" };
    expect(await failure(["1"], taken)).toMatch(oneLine("npm start -- --port 1"));
  });

  test("when the folder cannot be written to", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    expect(await failure(["--port", "0", "--data", join(file, "data")])).toMatch(oneLine("cannot be written to"));
    // The system says that the parent does not exist, for ever.
    expect(await failure(["--port", "0", "--data", "/proc/data/x"])).toMatch(oneLine("cannot be written to"));
  });

  test("when the engine's binary is missing", async () => {
    const dir = temporaryFolder();
    // Pretends another architecture, whose package is not installed.
    const preload = join(dir, "platform.mjs");
    writeFileSync(preload, 'Object.defineProperty(process, "arch", { value: "riscv64" });');
    const options = { NODE_OPTIONS: `--import=${preload}` };
    expect(await failure(["--port", "0", "--data", dir], options)).toMatch(
      oneLine("@dynoxide/linux-riscv64 is not installed"),
    );
  });

  test.each([["--port", "x"], ["--port", "70000"], ["--nonsense"], ["nonsense"]])(
    "when the arguments are wrong: %s %s",
    async (...args) => {
      expect(await failure(args.filter(Boolean))).toMatch(oneLine("."));
    },
  );

  test("when the data folder has no name", async () => {
    expect(await failure(["--data", ""])).toBe("--data must name a folder.\n");
  });
});

test("--help lists the options", async () => {
  const { stdout, exit } = run(["--help"]);
  expect(await stdout).toContain("--strict-egress");
  expect(await exit).toBe(0);
});

/** The modes of the files. The engine removes some of its own at any time. */
function modesIn(dir: string): Map<string, number> {
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" });
  const stats = files.map((name) => [name, statSync(join(dir, name), { throwIfNoEntry: false })] as const);
  return new Map(stats.flatMap(([name, stat]) => (stat?.isFile() ? [[name, stat.mode & 0o777]] : [])));
}

test("the server prints one line when it is ready, keeps its keys after kill -9, and stops its engine", async () => {
  const dir = temporaryFolder();
  const first = await serve(dir);
  const { apiKey, authToken, readToken } = first.ready;
  expect(first.ready).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    apiKey: expect.any(String),
    authToken: expect.any(String),
    readToken: expect.any(String),
    console: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/),
    pid: first.process.pid,
  });
  const modes = modesIn(dir);
  expect([...modes.keys()]).toEqual(expect.arrayContaining(["demo.json", "dynamodb.db", "kms.key"]));
  expect(new Set(modes.values())).toEqual(new Set([0o600]));
  expect(await failure(["--port", "0", "--data", dir])).toMatch(
    new RegExp(
      `^Another server is running on the data folder .* \\(pid ${first.ready.pid}, ${first.ready.url}\\)\\. .*--data`,
    ),
  );
  const { port } = new URL(first.ready.url);
  expect(await failure(["--port", port, "--data", temporaryFolder()])).toContain(
    `Port ${port} is in use by another server of this service.`,
  );
  await stopped(first, "SIGKILL");
  expect(enginesOn(dir)).toHaveLength(1);

  const second = await serve(dir);
  expect(second.ready).toMatchObject({ apiKey, authToken, readToken });
  expect(enginesOn(dir)).toHaveLength(1);
  expect((await fetch(`${second.ready.url}/nowhere`)).status).toBe(404);
  expect(await stopped(second, "SIGINT")).toBe(0);
  expect((await second.stdout).trim().split("\n")).toHaveLength(1);
  expect(enginesOn(dir)).toEqual([]);
});

test("a server that is stopped takes no more calls, and its engines reply to those in flight", async () => {
  const server = await serve(temporaryFolder());
  const { url, apiKey, authToken } = server.ready;
  const headers = {
    "content-type": "application/json",
    "x-service-api-key": apiKey,
    "x-service-auth-token": authToken,
  };
  const body = JSON.stringify({ data: { organizations: [{ organizationId: "acme" }] } });
  const statuses: number[] = [];
  /** Calls until the server is gone. */
  async function callOn(): Promise<void> {
    const reply = await fetch(`${url}/v2/organizations/add`, { method: "POST", headers, body }).catch(() => undefined);
    if (!reply) return;
    statuses.push(reply.status);
    // The reply itself can end with its connection.
    await reply.text().catch(() => "");
    return callOn();
  }
  const callers = Array.from({ length: 8 }, callOn);
  await expect.poll(() => statuses.length).toBeGreaterThan(20);
  expect(await stopped(server, "SIGTERM")).toBe(0);
  await Promise.all(callers);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("the printed commands work when they are pasted into a shell, and the read token changes nothing", async () => {
  const server = run(["--port", "0", "--data", temporaryFolder()]);
  const printed: string[] = [];
  for await (const line of createInterface(server.process.stdout as NodeJS.ReadableStream)) {
    printed.push(line);
    if (line.startsWith("curl ") && line.includes("/users/get")) break;
  }
  expect(printed[0]).toMatch(/^Starting the service with the data folder /);
  const [address] = /http:\S+/.exec(printed.join("\n")) ?? [];
  for (const path of ["/?token=", "/docs\n", "/openapi.json\n"])
    expect(printed.join("\n")).toContain(`${address}${path}`);
  const [command = "", reading = ""] = printed.filter((line) => line.startsWith("curl "));
  const replyTo = (text: string) => JSON.parse(execFileSync("sh", ["-c", text], { encoding: "utf8" }));
  const reply = replyTo(command);
  expect(reply).toMatchObject({ result: { status: "success", data: { token: expect.any(String) } } });
  const [url] = /http:\S+/.exec(printed.join("\n")) ?? [];
  expect(jwt.decode(reply.result.data.token)).toMatchObject({ iss: url });
  expect(replyTo(reading)).toMatchObject({ result: { data: { users: [{ userId: "alice" }] } } });
  const { description } = (await (await fetch(`${address}/openapi.json`)).json()).info;
  const [, firstCall = ""] = /```sh\n([\s\S]*?)```/.exec(description) ?? [];
  expect(replyTo(firstCall.replace("curl", "curl -s"))).toMatchObject({
    result: { data: { acme: { success: true } } },
  });
  expect(replyTo(reading.replace("/users/get", "/users/add"))).toMatchObject({
    error: { status: "PERMISSION_DENIED" },
  });
  expect(await stopped(server, "SIGTERM")).toBe(0);
});

test("the data folder is accessible to its owner only", async () => {
  const dir = join(temporaryFolder(), "data");
  const server = await serve(dir);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(JSON.parse(readFileSync(join(dir, "engine.json"), "utf8"))).toMatchObject({
    pid: expect.any(Number),
    port: expect.any(Number),
  });
  expect(await stopped(server, "SIGTERM")).toBe(0);
});
