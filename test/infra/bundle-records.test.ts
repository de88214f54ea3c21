import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { buildTools, bundleChanged } from "../../infra/bundle-records.ts";
import { temporaryFolder } from "../support/local/start.ts";
import { sources } from "../support/sources.ts";

/** Two bundles, built: `one` of `one.ts`, `own.ts` and `shared.ts`, `other` of `other.ts` and `shared.ts`. */
async function project() {
  const dir = temporaryFolder();
  const write = async (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    const { ctimeMs } = statSync(join(dir, name));
    await vi.waitUntil(() => Date.now() > ctimeMs + 25, { interval: 5 });
  };
  const entry = (name: string) => ({ name, source: join(dir, `${name}.ts`), readsTable: false });
  const entries = [entry("one"), entry("other")];
  const build = async (wanted = entries) =>
    (await bundleChanged(wanted, join(dir, "out"), [join(dir, "tool.ts")])).built;
  const textOf = (name: string) => readFileSync(join(dir, "out", name, "index.mjs"), "utf8");
  await write("tool.ts", "");
  await write("shared.ts", 'export const shared = "shared";');
  await write("own.ts", 'export const own = "first", unused = 1;');
  await write(
    "one.ts",
    'import { own } from "./own.ts"; import { shared } from "./shared.ts"; export const handler = [own, shared];',
  );
  await write("other.ts", 'import { shared } from "./shared.ts"; export const handler = shared;');
  expect(await build()).toEqual(["one", "other"]);
  return { dir, write, entry, build, textOf };
}

test("builds nothing where nothing has changed, and still returns all sizes", async () => {
  const { dir, entry, textOf } = await project();
  const { built, outputs } = await bundleChanged([entry("one"), entry("other")], join(dir, "out"), [
    join(dir, "tool.ts"),
  ]);
  expect(built).toEqual([]);
  const sizes = Object.entries(outputs).map(([path, { bytes }]) => [path.split("/").at(-2), bytes]);
  expect(sizes).toEqual(["one", "other"].map((name) => [name, textOf(name).length]));
});

test("a changed file builds the bundles that import it, and no other", async () => {
  const { write, build, textOf } = await project();
  await write("own.ts", 'export const own = "second", unused = 1;');
  expect(await build()).toEqual(["one"]);
  expect(textOf("one")).toContain("second");
  await write("shared.ts", "export const shared = 2;");
  expect(await build()).toEqual(["one", "other"]);
  expect(await build()).toEqual([]);
});

test("a change of what is not used counts: it may decide what is", async () => {
  const { write, build } = await project();
  await write("own.ts", 'export const own = "first", unused = 2;');
  expect(await build()).toEqual(["one"]);
});

test("a removed file fails the build, until it is back or no longer imported", async () => {
  const { dir, write, build } = await project();
  rmSync(join(dir, "own.ts"));
  await expect(build()).rejects.toThrow("own.ts");
  await expect(build()).rejects.toThrow("own.ts");
  await write("one.ts", "export const handler = 3;");
  expect(await build()).toEqual(["one"]);
  expect(await build()).toEqual([]);
});

test("an import that may resolve to another file tomorrow is not relied on", async () => {
  const { write, build, textOf } = await project();
  await write("one.ts", 'import { own } from "./own"; export const handler = own;');
  expect(await build()).toEqual(["one"]);
  await write("own.tsx", 'export const own = "resolved";');
  expect(await build()).toEqual(["one"]);
  expect(textOf("one")).toContain("resolved");
});

test("a deleted or altered bundle is built again", async () => {
  const { dir, build, textOf } = await project();
  const text = textOf("one");
  rmSync(join(dir, "out/one"), { recursive: true });
  expect(await build()).toEqual(["one"]);
  writeFileSync(join(dir, "out/one/index.mjs"), `${text}\n`);
  expect(await build()).toEqual(["one"]);
  expect(textOf("one")).toBe(text);
});

test("a changed tool builds everything", async () => {
  const { write, build } = await project();
  await write("tool.ts", "// changed");
  expect(await build()).toEqual(["one", "other"]);
  expect(await build()).toEqual([]);
});

test("another declaration of an entry builds it", async () => {
  const { entry, build } = await project();
  expect(await build([{ ...entry("one"), source: entry("other").source }])).toEqual(["one"]);
});

test.each(["", "{}", "[]", '{"toolsDigest":1}'])("a record %j is none", async (record) => {
  const { dir, build } = await project();
  writeFileSync(join(dir, "out/.records/one.json"), record);
  expect(await build()).toEqual(["one"]);
  expect(await build()).toEqual([]);
});

test("a file that changes during a build is built again", async () => {
  const { dir, write, build, textOf } = await project();
  await write("own.ts", 'export const own = "second";');
  const building = build();
  writeFileSync(join(dir, "own.ts"), 'export const own = "third";');
  await building;
  expect(await build()).toEqual(["one"]);
  expect(textOf("one")).toContain("third");
});

test("builds at the same time leave whole bundles that all records agree with", async () => {
  const { dir, write, build } = await project();
  await write("shared.ts", "export const shared = 5;");
  await Promise.all([build(), build(), build()]);
  expect(await build()).toEqual([]);
  const files = globSync("out/{*,.records}/*", { cwd: dir, withFileTypes: true }).filter((each) => each.isFile());
  expect(files.map(({ name }) => name).sort()).toEqual(["index.mjs", "index.mjs", "one.json", "other.json"]);
});

test("every source of the build is a tool", () => {
  const byFile = new Map(sources("infra").map(({ file, imports }) => [file, imports]));
  const reached = new Set(["infra/bundler.ts", "infra/bundle-records.ts"]);
  for (const file of reached) {
    for (const name of byFile.get(file) ?? [])
      if (byFile.has(name) && !name.startsWith("infra/local/")) reached.add(name);
  }
  expect(buildTools).toEqual(expect.arrayContaining([...reached]));
});
