// Builds the client, a package that is ready to publish: types and functions of all endpoints.
import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { endpoints } from "../deployables.ts";
import { apiDocument } from "../openapi/api-document.ts";
import { generatedFiles } from "./generate.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const compiler = join(root, "node_modules/typescript-7/bin/tsc");

const compilerOptions = {
  target: "es2023",
  lib: ["es2024", "dom", "dom.asynciterable", "dom.iterable"],
  module: "nodenext",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  declaration: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  removeComments: false,
};

/** Builds the package into `outDir`, in place of what is there. Throws if its types are wrong. */
export async function buildClient(outDir: string): Promise<void> {
  await mkdir(dirname(outDir), { recursive: true });
  // Beside its final place, where the compiler finds the dependencies. A build that fails leaves the former package.
  const dir = await mkdtemp(`${outDir}-`);
  try {
    const source = join(dir, "source");
    await cp(join(root, "infra/client/source"), source, { recursive: true });
    const files = await generatedFiles(apiDocument(), endpoints);
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(source, name), text)));
    const built = join(dir, "built");
    await compile(dir, built);
    await writeFile(join(built, "package.json"), `${JSON.stringify(await manifest(), null, 2)}\n`);
    for (const name of ["infra/client/README.md", "infra/client/BROWSER.md", "LICENSE"]) {
      await copyFile(join(root, name), join(built, basename(name)));
    }
    await rm(outDir, { recursive: true, force: true });
    await rename(built, outDir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function compile(dir: string, outDir: string): Promise<void> {
  const config = { compilerOptions: { ...compilerOptions, rootDir: "source", outDir }, include: ["source"] };
  await writeFile(join(dir, "tsconfig.json"), JSON.stringify(config));
  await writeFile(join(dir, "package.json"), JSON.stringify({ type: "module" }));
  try {
    await promisify(execFile)(process.execPath, [compiler, "-p", dir]);
  } catch (thrown) {
    throw new Error(`The client does not compile:\n${(thrown as { stdout?: string }).stdout}`, { cause: thrown });
  }
}

async function manifest(): Promise<object> {
  const { name, version, license, dependencies, devDependencies } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  // An application must have one Yjs: its own.
  const own = { yjs: dependencies.yjs, "y-protocols": devDependencies["y-protocols"] };
  const peers = Object.entries(own).map(([each, version]) => [each, `^${version}`]);
  const pinned = (...names: string[]) => Object.fromEntries(names.map((each) => [each, dependencies[each]]));
  const entry = (file: string) => ({ types: `./${file}.d.ts`, default: `./${file}.js` });
  return {
    name: `${name}-client`,
    version,
    description: "Typed clients of the collaboration backend, for servers and for pages.",
    license,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.3" },
    exports: {
      ".": entry("index"),
      "./browser": entry("browser"),
      "./webhooks": entry("webhooks"),
      "./yjs": entry("yjs"),
      "./package.json": "./package.json",
    },
    dependencies: pinned("openapi-fetch", "standardwebhooks"),
    peerDependencies: Object.fromEntries(peers),
    peerDependenciesMeta: Object.fromEntries(peers.map(([each]) => [each, { optional: true }])),
  };
}
