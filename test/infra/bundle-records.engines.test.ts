import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { buildTools, bundleChanged } from "../../infra/bundle-records.ts";
import { temporaryFolder } from "../support/local/start.ts";
import { sources } from "../support/sources.ts";

/** Builds two bundles: `one` from `one.ts`, `own.ts` and `shared.ts`, and `other` from `other.ts` and `shared.ts`. */
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

test("bundleChanged builds nothing when nothing has changed, and returns all sizes", async () => {
  const { dir, entry, textOf } = await project();
  const { built, outputs } = await bundleChanged([entry("one"), entry("other")], join(dir, "out"), [
    join(dir, "tool.ts"),
  ]);
  expect(built).toEqual([]);
  const sizes = Object.entries(outputs).map(([path, { bytes }]) => [path.split("/").at(-2), bytes]);
  expect(sizes).toEqual(["one", "other"].map((name) => [name, textOf(name).length]));
});

test("bundleChanged builds exactly the bundles that import a changed file", async () => {
  const { write, build, textOf } = await project();
  await write("own.ts", 'export const own = "second", unused = 1;');
  expect(await build()).toEqual(["one"]);
  expect(textOf("one")).toContain("second");
  await write("shared.ts", "export const shared = 2;");
  expect(await build()).toEqual(["one", "other"]);
  expect(await build()).toEqual([]);
});

test("bundleChanged builds a bundle when an unused export changes, since it may become a used one", async () => {
  const { write, build } = await project();
  await write("own.ts", 'export const own = "first", unused = 2;');
  expect(await build()).toEqual(["one"]);
});

test("bundleChanged fails while an imported file is missing", async () => {
  const { dir, write, build } = await project();
  rmSync(join(dir, "own.ts"));
  await expect(build()).rejects.toThrow("own.ts");
  await expect(build()).rejects.toThrow("own.ts");
  await write("one.ts", "export const handler = 3;");
  expect(await build()).toEqual(["one"]);
  expect(await build()).toEqual([]);
});

test("bundleChanged builds a bundle again when a new file changes how its import resolves", async () => {
  const { write, build, textOf } = await project();
  await write("one.ts", 'import { own } from "./own"; export const handler = own;');
  expect(await build()).toEqual(["one"]);
  await write("own.tsx", 'export const own = "resolved";');
  expect(await build()).toEqual(["one"]);
  expect(textOf("one")).toContain("resolved");
});

test("bundleChanged builds a deleted or altered bundle again", async () => {
  const { dir, build, textOf } = await project();
  const text = textOf("one");
  rmSync(join(dir, "out/one"), { recursive: true });
  expect(await build()).toEqual(["one"]);
  writeFileSync(join(dir, "out/one/index.mjs"), `${text}\n`);
  expect(await build()).toEqual(["one"]);
  expect(textOf("one")).toBe(text);
});

test("bundleChanged builds all bundles when a tool changes", async () => {
  const { write, build } = await project();
  await write("tool.ts", "// changed");
  expect(await build()).toEqual(["one", "other"]);
  expect(await build()).toEqual([]);
});

test("bundleChanged builds a bundle when its declaration changes", async () => {
  const { entry, build } = await project();
  expect(await build([{ ...entry("one"), source: entry("other").source }])).toEqual(["one"]);
});

test.each(["", "{}", "[]", '{"toolsDigest":1}'])(
  "bundleChanged builds a bundle when its record is malformed: %j",
  async (record) => {
    const { dir, build } = await project();
    writeFileSync(join(dir, "out/.records/one.json"), record);
    expect(await build()).toEqual(["one"]);
    expect(await build()).toEqual([]);
  },
);

test("bundleChanged builds a bundle again when one of its files changed during the build", async () => {
  const { dir, write, build, textOf } = await project();
  await write("own.ts", 'export const own = "second";');
  const building = build();
  writeFileSync(join(dir, "own.ts"), 'export const own = "third";');
  await building;
  expect(await build()).toEqual(["one"]);
  expect(textOf("one")).toContain("third");
});

test("concurrent builds leave whole bundles that match their records", async () => {
  const { dir, write, build } = await project();
  await write("shared.ts", "export const shared = 5;");
  await Promise.all([build(), build(), build()]);
  expect(await build()).toEqual([]);
  const files = globSync("out/{*,.records}/*", { cwd: dir, withFileTypes: true }).filter((each) => each.isFile());
  expect(files.map(({ name }) => name).sort()).toEqual(["index.mjs", "index.mjs", "one.json", "other.json"]);
});

test("buildTools include every source of the build", () => {
  const byFile = new Map(sources("infra").map(({ file, imports }) => [file, imports]));
  const reached = new Set(["infra/bundler.ts", "infra/bundle-records.ts"]);
  for (const file of reached) {
    for (const name of byFile.get(file) ?? [])
      if (byFile.has(name) && !name.startsWith("infra/local/")) reached.add(name);
  }
  expect(buildTools).toEqual(expect.arrayContaining([...reached]));
});
