// Each bundle has a record, with a digest of all its input and output files. While the digest matches, a build would
// write the same bytes, so the bundle is not built again.
import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";
import type { Entry } from "./bundler.ts";
import { readJson, replace } from "./local/files.ts";

/** Sizes by path. All paths are relative to the project's root. */
export type Outputs = Record<string, { bytes: number }>;

interface Bundle {
  inputs: string[];
  outputs: Outputs;
}

interface BundleRecord extends Bundle {
  toolsDigest: string;
  digest: string;
}

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Files that affect every bundle. npm rewrites `.package-lock.json` whenever it changes `node_modules`, so it changes
 * whenever the import of a package may resolve to another file.
 */
export const buildTools: readonly string[] = [
  ...readdirSync(join(root, "infra")).flatMap((name) => (/^bundle.*\.ts$/.test(name) ? [`infra/${name}`] : [])),
  "tsconfig.json",
  "package.json",
  "node_modules/.package-lock.json",
];

interface Compared {
  toolsDigest: string;
  stale: Entry[];
  /** The sizes of all files of the other entries. */
  outputs: Outputs;
}

/** Finds the entries whose record in `outDir` is missing or does not match. */
export function compareRecords(entries: readonly Entry[], outDir: string, tools = buildTools): Compared {
  const toolsDigest = digestOf([process.version, ...tools.map(fileHashes())]);
  const outputs: Outputs = {};
  const hashOf = fileHashes();
  const stale = entries.filter((entry) => {
    const record = readJson(recordPath(entry, outDir)) as BundleRecord | undefined;
    // The tools are compared first, because other tools may have written records of another shape.
    if (record?.toolsDigest !== toolsDigest || record.digest !== bundleDigest(entry, record, hashOf)) return true;
    Object.assign(outputs, record.outputs);
    return false;
  });
  return { toolsDigest, stale, outputs };
}

const recordPath = ({ name }: Entry, outDir: string) => join(resolve(root, outDir, ".records"), `${name}.json`);

/** Bundles the entries whose record in `outDir` is missing or does not match. `built` has their names. */
export async function bundleChanged(
  entries: readonly Entry[],
  outDir: string,
  tools = buildTools,
): Promise<{ outputs: Outputs; built: string[] }> {
  const startedAt = Date.now();
  // Compared before the build: if the tools change during it, its records do not match later.
  const { toolsDigest, stale, outputs } = compareRecords(entries, outDir, tools);
  if (stale.length === 0) return { outputs, built: [] };

  // Imported here, so that a start without a changed file does not load esbuild.
  const { bundleEntries } = await import("./bundler.ts");
  const metafile = await bundleEntries(stale, outDir);
  mkdirSync(resolve(root, outDir, ".records"), { recursive: true });
  const after = fileHashes();
  for (const entry of stale) {
    const bundle = bundleOf(entry, metafile);
    Object.assign(outputs, bundle.outputs);
    const isCertain = bundle.inputs.every((path) => isUnchangedSince(path, startedAt) && hasFullNames(path, metafile));
    if (!isCertain) continue;
    const record: BundleRecord = { toolsDigest, digest: bundleDigest(entry, bundle, after), ...bundle };
    replace(recordPath(entry, outDir), JSON.stringify(record));
  }
  return { outputs, built: stale.map(({ name }) => name) };
}

/** The inputs include imports that esbuild drops as unused: a change in any of the files can make them used. */
function bundleOf({ name }: Entry, { inputs, outputs }: Metafile): Bundle {
  const own = Object.entries(outputs).filter(([path]) => path.split("/").at(-2) === name);
  const reached = new Set(own.map(([, { entryPoint = "" }]) => entryPoint));
  for (const path of reached) {
    for (const each of inputs[path]?.imports ?? []) if (!each.external) reached.add(each.path);
  }
  return {
    // Modules that plugins generate are not files. They depend only on the build tools.
    inputs: [...reached].filter((path) => !/^[a-z]+:/.test(path)).sort(),
    outputs: Object.fromEntries(own.map(([path, { bytes }]) => [path, { bytes }])),
  };
}

/** The resolution of file times, rounded up. */
const clockStepMs = 20;

/** Whether the file was last written before the build, so that its hash is that of what the build has read. */
function isUnchangedSince(path: string, startedAt: number): boolean {
  const stat = statSync(resolve(root, path), { throwIfNoEntry: false });
  return stat !== undefined && stat.ctimeMs < startedAt - clockStepMs;
}

/** Whether relative imports name their files in full. Others can resolve to another file that is added later. */
function hasFullNames(path: string, { inputs }: Metafile): boolean {
  if (path.includes("node_modules/")) return true;
  const relative = inputs[path]?.imports.filter(({ original }) => original?.startsWith(".")) ?? [];
  return relative.every((each) => join(dirname(path), each.original ?? "") === join(each.path));
}

type FileHashes = (path: string) => string | undefined;

/** Reads each file once. Undefined: the file does not exist. */
function fileHashes(): FileHashes {
  const known = new Map<string, string | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, fileHash(resolve(root, path)));
    return known.get(path);
  };
}

function fileHash(path: string): string | undefined {
  try {
    return hash("sha256", readFileSync(path));
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR"].includes((thrown as { code: string }).code)) return undefined;
    throw thrown;
  }
}

function bundleDigest(entry: Entry, { inputs, outputs }: Bundle, hashOf: FileHashes): string {
  return digestOf([entry, ...[...inputs, ...Object.keys(outputs)].map(hashOf)]);
}

function digestOf(parts: unknown[]): string {
  return hash("sha256", JSON.stringify(parts));
}
