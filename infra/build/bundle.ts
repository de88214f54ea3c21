import { catchAllPath, type Deployable, deployables, plainPaths, sourceOf } from "../deployables.ts";
import { bundleEntries, type Entry } from "./bundler.ts";

/** Sizes by path. All paths are relative to the project's root. */
type Outputs = Record<string, { bytes: number }>;

/** Bundles all functions, or those named in `only`, to `<outDir>/<name>/index.mjs`. Returns the sizes of all files. */
export function bundle({ outDir, only }: { outDir: string; only?: readonly string[] }): Promise<{ outputs: Outputs }> {
  const selected = deployables.filter((each) => only === undefined || only.includes(each.name));
  return bundleEntries(selected.map(entryOf), outDir);
}

function entryOf(each: Deployable): Entry {
  const entry = { name: each.name, source: sourceOf(each), readsTable: each.grants.includes("table:read") };
  if (each.kind !== "endpoint") return { ...entry, scripts: each.scripts };
  return each.path === catchAllPath ? { ...entry, paths: plainPaths() } : entry;
}
