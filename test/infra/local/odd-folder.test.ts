// Files in the data folder that the server has not written so.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, serve, stopped } from "../../support/local/serve.ts";
import { enginesOn, temporaryFolder } from "../../support/local/start.ts";

/** The one line of the failure after the first one. */
async function failure(dir: string): Promise<string> {
  const { stderr, exit } = run(["--port", "0", "--data", dir]);
  expect(await exit).toBe(1);
  const text = await stderr;
  expect(text).toMatch(/^[^\n]+\n$/);
  return text;
}

test.each(["server.lock", "engine.lock", "engine.json", "demo.json", "log.jsonl", "dynamodb.db"])(
  "a folder in place of %s is named in one line",
  async (name) => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, name));
    expect(await failure(dir)).toContain(join(dir, name));
    expect(enginesOn(dir)).toEqual([]);
    expect(readdirSync(dir).filter((each) => each.startsWith(`${name}.`))).toEqual([]);
  },
);

test.each(['{"version":99}', "[]", "null", '{"process":{"pid":0,"started":""},"port":"x","users":5}', "{"])(
  "the text %s in a lock or in engine.json names no process, and is replaced",
  async (text) => {
    const dir = temporaryFolder();
    for (const name of ["server.lock", "engine.lock", "engine.json"]) writeFileSync(join(dir, name), text);
    const server = await serve(dir);
    expect(JSON.parse(readFileSync(join(dir, "server.lock"), "utf8"))).toMatchObject({ pid: server.process.pid });
    expect(await stopped(server, "SIGTERM")).toBe(0);
    expect(enginesOn(dir)).toEqual([]);
  },
);

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
}, 120_000);
