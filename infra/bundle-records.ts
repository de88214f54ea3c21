// Beside the bundles lies a record of each: a digest of every file that went into it or came out of it. While the digest
// is right, a build would make the same bytes, and is left out.
import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";
import { bundleEntries, type Entry } from "./bundler.ts";
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
 * What decides about all bundles. npm rewrites its list of what is installed whenever it changes `node_modules`, and so
 * whenever the name of a package may lead to another file.
 */
export const buildTools: readonly string[] = [
  ...readdirSync(join(root, "infra")).flatMap((name) => (/^bundle.*\.ts$/.test(name) ? [`infra/${name}`] : [])),
  "tsconfig.json",
  "package.json",
  "node_modules/.package-lock.json",
];

/** Bundles those entries whose records in `outDir` are missing or wrong; `built` names them. */
export async function bundleChanged(
  entries: readonly Entry[],
  outDir: string,
  tools = buildTools,
): Promise<{ outputs: Outputs; built: string[] }> {
  const startedAt = Date.now();
  // Before the build: tools that change meanwhile make its records wrong.
  const toolsDigest = digestOf([process.version, ...tools.map(fileHashes())]);
  const folder = resolve(root, outDir, ".records");
  const recordOf = ({ name }: Entry) => join(folder, `${name}.json`);

  const outputs: Outputs = {};
  const before = fileHashes();
  const stale = entries.filter((entry) => {
    const record = readJson<BundleRecord>(recordOf(entry));
    // Other tools may have written another shape of record.
    if (record?.toolsDigest !== toolsDigest || record.digest !== bundleDigest(entry, record, before)) return true;
    Object.assign(outputs, record.outputs);
    return false;
  });
  if (stale.length === 0) return { outputs, built: [] };

  const metafile = await bundleEntries(stale, outDir);
  mkdirSync(folder, { recursive: true });
  const after = fileHashes();
  for (const entry of stale) {
    const bundle = bundleOf(entry, metafile);
    Object.assign(outputs, bundle.outputs);
    const isCertain = bundle.inputs.every((path) => isSettled(path, startedAt) && namesFiles(path, metafile));
    if (!isCertain) continue;
    const record: BundleRecord = { toolsDigest, digest: bundleDigest(entry, bundle, after), ...bundle };
    replace(recordOf(entry), JSON.stringify(record));
  }
  return { outputs, built: stale.map(({ name }) => name) };
}

/** Everything that the entry's files import, used or not: whether something is used may change anywhere among it. */
function bundleOf({ name }: Entry, { inputs, outputs }: Metafile): Bundle {
  const own = Object.entries(outputs).filter(([path]) => path.split("/").at(-2) === name);
  const reached = new Set(own.map(([, { entryPoint = "" }]) => entryPoint));
  for (const path of reached) {
    for (const each of inputs[path]?.imports ?? []) if (!each.external) reached.add(each.path);
  }
  return {
    // What plugins make up is no file, and follows from the build's tools.
    inputs: [...reached].filter((path) => !/^[a-z]+:/.test(path)).sort(),
    outputs: Object.fromEntries(own.map(([path, { bytes }]) => [path, { bytes }])),
  };
}

/** A file system's clock moves in steps of some milliseconds. */
const clockStepMs = 20;

/** Whether the file is what the build has read: it has not been written since. */
function isSettled(path: string, startedAt: number): boolean {
  const stat = statSync(resolve(root, path), { throwIfNoEntry: false });
  return stat !== undefined && stat.ctimeMs < startedAt - clockStepMs;
}

/** Whether the file's relative imports are whole names. Other names may lead to another file once there is one. */
function namesFiles(path: string, { inputs }: Metafile): boolean {
  if (path.includes("node_modules/")) return true;
  const relative = inputs[path]?.imports.filter(({ original }) => original?.startsWith(".")) ?? [];
  return relative.every((each) => join(dirname(path), each.original ?? "") === join(each.path));
}

type FileHashes = (path: string) => string | undefined;

/** Reads each file once; undefined: there is none. */
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
