// The built package of the client, in a project that has it installed.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { buildClient } from "../../infra/client/build.ts";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
const installed = [
  "openapi-fetch",
  "openapi-typescript-helpers",
  "standardwebhooks",
  "@stablelib/base64",
  "fast-sha256",
  "yjs",
  "y-protocols",
  "lib0",
  "@types/node",
  "undici-types",
];

/** Where the first file that needs the client leaves it for the others. `engines.ts` removes it at the end. */
const shared = () => join(process.env.TEST_FOLDER as string, "client");

/** Makes a project that has the client installed. Returns its folder, which exists while the tests of the file run. */
export function projectWithClient(): () => string {
  let dir = "";
  beforeAll(async () => {
    if (!existsSync(shared())) await install();
    dir = await mkdtemp(join(tmpdir(), "collaboration-client-"));
    await symlink(join(shared(), "node_modules"), join(dir, "node_modules"));
    await writeFile(join(dir, "package.json"), JSON.stringify({ type: "module" }));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));
  return () => dir;
}

/** Builds the client beside its dependencies. Two files that begin at the same time both build; one result is kept. */
async function install(): Promise<void> {
  const dir = await mkdtemp(`${shared()}-`);
  for (const name of installed) {
    const path = join(dir, "node_modules", name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(modules, name), path);
  }
  await buildClient(join(dir, "node_modules/collaboration-backend-client"));
  await rename(dir, shared()).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== "ENOTEMPTY" && thrown.code !== "EEXIST") throw thrown;
  });
}

const strict = {
  target: "es2024",
  module: "nodenext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
};

/** Checks the types of programs in a project, in one run. Returns what the compiler reports, by the file's name. */
export async function typeErrors(
  dir: string,
  programs: Record<string, string>,
  own: object = {},
): Promise<Record<string, string>> {
  for (const [name, text] of Object.entries(programs)) await writeFile(join(dir, name), text);
  const config = { compilerOptions: { ...strict, ...own }, files: Object.keys(programs) };
  await writeFile(join(dir, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(modules, "typescript-7/bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", dir], { cwd: dir }).catch(
    (thrown) => thrown,
  );
  const errors: Record<string, string> = {};
  for (const line of stdout.split(/\n(?=\S)/).filter(Boolean)) {
    const [name = ""] = line.split("(");
    errors[name] = `${errors[name] ?? ""}${line}\n`;
  }
  return errors;
}
