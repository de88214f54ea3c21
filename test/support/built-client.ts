// The built package of the client, in a project that has it installed.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
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
  "@types/node",
  "undici-types",
];

/** Builds the client once for a test file. Returns the folder of the project, which exists while its tests run. */
export function projectWithClient(): () => string {
  let dir = "";
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "collaboration-client-"));
    for (const name of installed) {
      const path = join(dir, "node_modules", name);
      await mkdir(dirname(path), { recursive: true });
      await symlink(join(modules, name), path);
    }
    await buildClient(join(dir, "node_modules/collaboration-backend-client"));
    await writeFile(join(dir, "package.json"), JSON.stringify({ type: "module" }));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));
  return () => dir;
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

/** Checks the types of programs in a project. Returns what the compiler reports. */
export async function typeErrors(dir: string, programs: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(programs)) await writeFile(join(dir, name), text);
  const config = { compilerOptions: strict, files: Object.keys(programs) };
  await writeFile(join(dir, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(modules, "typescript-7/bin/tsc");
  return promisify(execFile)(process.execPath, [tsc, "-p", dir]).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
}
