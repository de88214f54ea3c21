import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openEngine } from "../../../infra/local/dynamodb.ts";
import { startEngine } from "../../../infra/local/dynoxide.ts";
import { withFreePort } from "../../../infra/local/engine-port.ts";
import { placeholderAccess } from "../../../infra/local/environment.ts";
import { end, identify, isRunning } from "../../../infra/local/processes.ts";
import { createTable } from "../../../infra/local/table.ts";
import { enginesOn, temporaryFolder } from "../../support/local/start.ts";

const user = fileURLToPath(new URL("../../support/local/open-engine.ts", import.meta.url));
const stateOf = (dir: string) => JSON.parse(readFileSync(join(dir, "engine.json"), "utf8"));

/** Starts another process that uses the folder's engine. */
async function otherUser(dir: string): Promise<{ process: ChildProcess; endpoint: string }> {
  const child = spawn(process.execPath, [user, dir], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { process: child, endpoint: String(line).trim() };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

describe("a folder has one engine", () => {
  test("after five processes are killed with -9, until the next process stops it", async () => {
    const dir = temporaryFolder();
    const endpoints = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const { process, endpoint } = await otherUser(dir);
      endpoints.add(endpoint);
      await ended(process, "SIGKILL");
    }
    expect(endpoints.size).toBe(1);
    expect(enginesOn(dir)).toHaveLength(1);
    const engine = await openEngine(dir);
    expect(endpoints).toContain(engine.endpoint);
    await engine.close();
    expect(enginesOn(dir)).toEqual([]);
  });

  test("when several processes start concurrently", async () => {
    const dir = temporaryFolder();
    const opened = await Promise.all([openEngine(dir), openEngine(dir), otherUser(dir), otherUser(dir)]);
    expect(new Set(opened.map(({ endpoint }) => endpoint)).size).toBe(1);
    expect(enginesOn(dir)).toHaveLength(1);
    for (const each of opened) await ("close" in each ? each.close() : ended(each.process, "SIGTERM"));
    expect(enginesOn(dir)).toEqual([]);
  });

  test("until the last of its processes ends, whichever process started the engine", async () => {
    const dir = temporaryFolder();
    const first = await openEngine(dir);
    const { process } = await otherUser(dir);
    await first.close();
    expect(enginesOn(dir)).toHaveLength(1);
    await ended(process, "SIGTERM");
    expect(enginesOn(dir)).toEqual([]);
  });
});

test("an engine starts on another port when the chosen one was taken meanwhile", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const dir = temporaryFolder();
  const chosen = [port];
  const files = { database: join(dir, "dynamodb.db"), logFile: join(dir, "engine.log") };
  const engine = await startEngine(
    files,
    () => {},
    (start) => withFreePort((port) => start(chosen.shift() ?? port)),
  );
  onTestFinished(() => end(engine.process));
  expect(chosen).toEqual([]);
  expect(engine.port).not.toBe(port);
});

describe("openEngine", () => {
  test("neither uses nor kills another process that has the pid in engine.json", async () => {
    const dir = temporaryFolder();
    const bystander = spawn("sleep", ["60"]);
    onTestFinished(() => void bystander.kill());
    const pid = bystander.pid ?? 0;
    const state = { pid, process: identify(pid), port: 9, startedAt: "", users: [] };
    writeFileSync(join(dir, "engine.json"), JSON.stringify(state));
    const engine = await openEngine(dir);
    expect(stateOf(dir).pid).not.toBe(pid);
    await engine.close();
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  test("replaces an engine.json that is malformed or names an engine that has ended", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "engine.json"), '{"pid":');
    await openEngine(dir);
    await end(stateOf(dir).process);
    const engine = await openEngine(dir);
    expect(enginesOn(dir)).toHaveLength(1);
    await engine.close();
    await engine.close();
    expect(enginesOn(dir)).toEqual([]);
  });

  test("takes over the lock of a killed process", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "engine.lock"), JSON.stringify({ pid: process.pid, started: "another boot 1" }));
    const engine = await openEngine(dir);
    await engine.close();
  });
});

test("the table keeps its items after a restart, and is created once", async () => {
  const dir = temporaryFolder();
  const TableName = "table";
  const item = { pk: { S: "a" }, sk: { S: "b" }, due: { S: "0" }, dueAt: { N: "1" } };
  for (const isNew of [true, false]) {
    const engine = await openEngine(dir);
    expect(await createTable(engine.endpoint, TableName)).toBe(isNew);
    const client = new DynamoDBClient({ endpoint: engine.endpoint, ...placeholderAccess });
    if (isNew) await client.send(new PutItemCommand({ TableName, Item: item }));
    const Key = { pk: item.pk, sk: item.sk };
    expect((await client.send(new GetItemCommand({ TableName, Key }))).Item).toEqual(item);
    client.destroy();
    await engine.close();
  }
});

test("openEngine starts no engine when DYNAMODB_ENDPOINT is set", async () => {
  vi.stubEnv("DYNAMODB_ENDPOINT", "http://127.0.0.1:9");
  onTestFinished(() => void vi.unstubAllEnvs());
  const dir = temporaryFolder();
  expect((await openEngine(dir)).endpoint).toBe("http://127.0.0.1:9");
  expect(enginesOn(dir)).toEqual([]);
});

test("openEngine throws the reason when the engine cannot start", async () => {
  const dir = temporaryFolder();
  writeFileSync(
    join(dir, "dynamodb.db"),
    "this text is not a database, and it is long enough to be read as one".repeat(20),
  );
  await expect(openEngine(dir)).rejects.toThrow(/The DynamoDB engine did not start on .*dynamodb\.db: .*database/i);
  expect(enginesOn(dir)).toEqual([]);
});

test("isRunning distinguishes a process from an earlier one with the same pid", () => {
  const own = identify(process.pid);
  expect(own && isRunning(own)).toBe(true);
  expect(isRunning({ pid: process.pid, started: "another boot 1" })).toBe(false);
  expect(identify(2 ** 22)).toBeUndefined();
});
