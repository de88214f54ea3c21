import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openEngine } from "../../../infra/local/dynamodb.ts";
import { placeholderAccess } from "../../../infra/local/environment.ts";
import { end, identify, isRunning } from "../../../infra/local/processes.ts";
import { createTable } from "../../../infra/local/table.ts";
import { enginesOn, temporaryFolder } from "../../support/local/start.ts";

const user = fileURLToPath(new URL("../../support/local/open-engine.ts", import.meta.url));
const stateOf = (dir: string) => JSON.parse(readFileSync(join(dir, "engine.json"), "utf8"));

/** Another process that uses the folder's engine. */
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

describe("one engine a folder", () => {
  test("five processes killed with -9 leave one engine, which the next process takes over and stops", async () => {
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

  test("processes that start at once share one engine", async () => {
    const dir = temporaryFolder();
    const opened = await Promise.all([openEngine(dir), openEngine(dir), otherUser(dir), otherUser(dir)]);
    expect(new Set(opened.map(({ endpoint }) => endpoint)).size).toBe(1);
    expect(enginesOn(dir)).toHaveLength(1);
    for (const each of opened) await ("close" in each ? each.close() : ended(each.process, "SIGTERM"));
    expect(enginesOn(dir)).toEqual([]);
  });

  test("the first process to end leaves the engine to the other, whichever started it", async () => {
    const dir = temporaryFolder();
    const first = await openEngine(dir);
    const { process } = await otherUser(dir);
    await first.close();
    expect(enginesOn(dir)).toHaveLength(1);
    await ended(process, "SIGTERM");
    expect(enginesOn(dir)).toEqual([]);
  });
});

describe("engine.json is checked", () => {
  test("another process with the pid is neither used nor killed", async () => {
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

  test("a broken file, and the file of a dead engine, are replaced", async () => {
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

  test("the lock of a killed process is taken over", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "engine.lock"), JSON.stringify({ pid: process.pid, started: "another boot 1" }));
    const engine = await openEngine(dir);
    await engine.close();
  });
});

test("the table keeps its items over a restart, and is created once", async () => {
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

test("with DYNAMODB_ENDPOINT no engine is started", async () => {
  vi.stubEnv("DYNAMODB_ENDPOINT", "http://127.0.0.1:9");
  onTestFinished(() => void vi.unstubAllEnvs());
  const dir = temporaryFolder();
  expect((await openEngine(dir)).endpoint).toBe("http://127.0.0.1:9");
  expect(enginesOn(dir)).toEqual([]);
});

test("an engine that cannot start reports the reason", async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "dynamodb.db"), "this is not a database, and long enough to be looked at as one".repeat(20));
  await expect(openEngine(dir)).rejects.toThrow(/The DynamoDB engine did not start: .*database/);
  expect(enginesOn(dir)).toEqual([]);
});

test("isRunning tells a process from another one with its pid", () => {
  const own = identify(process.pid);
  expect(own && isRunning(own)).toBe(true);
  expect(isRunning({ pid: process.pid, started: "another boot 1" })).toBe(false);
  expect(identify(2 ** 22)).toBeUndefined();
});
