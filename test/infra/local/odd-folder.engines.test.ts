// Files in the data folder that the server has not written so.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer } from "../../../infra/local/server.ts";
import { run, serve, stopped } from "../../support/local/serve.ts";
import { enginesOn, temporaryFolder } from "../../support/local/start.ts";

const options = { port: 0, demoAi: false, strictEgress: false, hardSeed: undefined };
const listeners = { onMessage() {}, onNotice() {}, onError() {} };

/** The line of a process that fails to start after the first one. */
async function failure(dir: string): Promise<string> {
  const { stderr, exit } = run(["--port", "0", "--data", dir]);
  expect(await exit).toBe(1);
  const text = await stderr;
  expect(text).toMatch(/^[^\n]+\n$/);
  return text;
}

/** The same line of a start in this process, for what fails before the table is read: clients keep its address. */
async function refusal(dir: string): Promise<string> {
  const thrown = await startServer({ ...options, ...listeners, dir }).then(undefined, (error: unknown) => error);
  expect((thrown as Error).message).toMatch(/^[^\n]+$/);
  return (thrown as Error).message;
}

test.each(["server.lock", "engine.lock", "engine.json", "demo.json", "log.jsonl", "dynamodb.db", "kms.key"])(
  "a folder in place of %s is named in one line",
  async (name) => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, name));
    expect(await refusal(dir)).toContain(join(dir, name));
    expect(enginesOn(dir)).toEqual([]);
    expect(readdirSync(dir).filter((each) => each.startsWith(`${name}.`))).toEqual([]);
    if (name !== "server.lock") expect(readdirSync(dir)).not.toContain("server.lock");
  },
);

test("locks and an engine.json that name no process are replaced", async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "server.lock"), "{");
  writeFileSync(join(dir, "engine.lock"), "[]");
  writeFileSync(join(dir, "engine.json"), '{"process":{"pid":0,"started":""},"port":"x","users":5}');
  const server = await serve(dir);
  expect(JSON.parse(readFileSync(join(dir, "server.lock"), "utf8"))).toMatchObject({ pid: server.process.pid });
  expect(await stopped(server, "SIGTERM")).toBe(0);
  expect(enginesOn(dir)).toEqual([]);
});

test("a demo.json of another table is not replaced, since its keys are nowhere else", async () => {
  const dir = temporaryFolder();
  await stopped(await serve(dir), "SIGTERM");
  const kept = readFileSync(join(dir, "demo.json"), "utf8");
  const other = temporaryFolder();
  await stopped(await serve(other), "SIGTERM");
  for (const name of ["dynamodb.db", "kms.key"]) copyFileSync(join(other, name), join(dir, name));
  expect(await failure(dir)).toMatch(/The table does not have the workspace of .*demo\.json\. Use the engine/);
  expect(readFileSync(join(dir, "demo.json"), "utf8")).toBe(kept);
  rmSync(join(dir, "demo.json"));
  expect((await serve(dir)).ready.apiKey).not.toBe(JSON.parse(kept).apiKey);
});

test("a folder without some of its files is not opened and gets no other ones, since they can be restored", async () => {
  const dir = temporaryFolder();
  const backup = temporaryFolder();
  await stopped(await serve(dir), "SIGTERM");
  const names = ["kms.key", "dynamodb.db"];
  for (const name of names) copyFileSync(join(dir, name), join(backup, name));
  const lost = [
    [["kms.key"], /kms\.key is missing, but there is .*dynamodb\.db\. Restore the file/],
    [["dynamodb.db"], /dynamodb\.db is missing, but there is .*demo\.json\. Restore the file/],
    [["kms.key", "dynamodb.db"], /kms\.key is missing, but there is .*demo\.json\. Restore the file/],
  ] as const;
  for (const [missing, message] of lost) {
    for (const name of missing) rmSync(join(dir, name));
    // The first start has written nothing that makes the second one succeed.
    for (let start = 0; start < 2; start++) {
      expect(await refusal(dir)).toMatch(message);
      expect(readdirSync(dir).filter((each) => missing.some((name) => name === each))).toEqual([]);
    }
    for (const name of missing) copyFileSync(join(backup, name), join(dir, name));
  }
  expect(await stopped(await serve(dir), "SIGTERM")).toBe(0);
});

test("a damaged database is named, and leaves neither an engine nor its state", async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "dynamodb.db"), "x".repeat(10_000));
  writeFileSync(join(dir, "kms.key"), Buffer.alloc(32));
  expect(await refusal(dir)).toContain(join(dir, "dynamodb.db"));
  expect(readdirSync(dir)).not.toContain("engine.json");
});

test("a pipe in place of demo.json is refused, since its read would not end", async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "kms.key"), Buffer.alloc(32));
  execFileSync("mkfifo", [join(dir, "demo.json")]);
  writeFileSync(join(dir, "dynamodb.db"), "");
  expect(await failure(dir)).toContain("demo.json cannot be read: it is not a regular file");
});

test("a server whose folder was deleted leaves the lock of the next one", async () => {
  const dir = temporaryFolder();
  const former = await serve(dir);
  rmSync(dir, { recursive: true });
  const next = await serve(dir);
  expect(await stopped(former, "SIGTERM")).toBe(0);
  expect(JSON.parse(readFileSync(join(dir, "server.lock"), "utf8"))).toMatchObject({ pid: next.process.pid });
  expect(await stopped(next, "SIGTERM")).toBe(0);
  expect(existsSync(join(dir, "server.lock"))).toBe(false);
});

test("a demo.json without the keys is not replaced, since the keys may be in it", async () => {
  const dir = temporaryFolder();
  const first = await serve(dir);
  await stopped(first, "SIGTERM");
  const path = join(dir, "demo.json");
  const kept = readFileSync(path, "utf8");
  for (const text of ["[]", '{"apiKey":5}', kept.slice(0, -10)]) {
    writeFileSync(path, text);
    expect(await failure(dir)).toMatch(
      /demo\.json does not have the keys of the demo workspace\. Correct it, or remove/,
    );
    expect(readFileSync(path, "utf8")).toBe(text);
  }
  writeFileSync(path, kept);
  const again = await serve(dir);
  expect(again.ready.apiKey).toBe(first.ready.apiKey);
  await stopped(again, "SIGTERM");
});
