import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startBuilder } from "../../../infra/local/builder.ts";
import { bundlesIn } from "../../../infra/local/invoke.ts";
import { temporaryFolder } from "../../support/local/start.ts";

/** The pids of the processes that this process has started, and of theirs. */
function descendants(pid = process.pid): number[] {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return children.map(Number).flatMap((child) => [child, ...descendants(child)]);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined; // It has ended meanwhile.
  }
}

const names = ["not-found", "jwks-get", "users-get"];

function builder(wanted: readonly string[]) {
  const outDir = temporaryFolder();
  const started = startBuilder(wanted, outDir);
  onTestFinished(started.close);
  return { outDir, ...started };
}

test("all functions are bundled, and then no process of the bundler is left", async () => {
  const before = descendants();
  const { outDir, done, whenBuilt } = builder(names);
  expect(descendants().length).toBeGreaterThan(before.length);
  await whenBuilt("users-get");
  expect(await bundlesIn(outDir)("users-get")).toBeTypeOf("function");
  await done;
  for (const name of names) expect(statSync(join(outDir, name, "index.mjs")).size).toBeGreaterThan(1_000);
  await expect.poll(() => descendants()).toEqual(before);
});

test("without a function to build, no process starts", async () => {
  const before = descendants();
  const { done, whenBuilt } = builder([]);
  await Promise.all([done, whenBuilt("users-get")]);
  expect(descendants()).toEqual(before);
});

test("a build that ends early fails, for whoever waits for one of its functions too", async () => {
  const { done, whenBuilt, close } = builder(names);
  const waits = whenBuilt("users-get");
  close();
  await expect(done).rejects.toThrow("The build ended early (SIGTERM).");
  await expect(waits).rejects.toThrow("The build ended early (SIGTERM).");
  await expect(whenBuilt("jwks-get")).rejects.toThrow();
});

test("a build that cannot write fails with its reason", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const { done } = startBuilder(["not-found"], join(file, "dist"));
  await expect(done).rejects.toThrow(/^The functions could not be built: .*ENOTDIR/);
});
