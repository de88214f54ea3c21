import { bundleChanged, compareRecords, type Outputs } from "./bundle-records.ts";
import type { Entry } from "./bundler.ts";
import { catchAllPath, type Deployable, deployables, endpoints, sourceOf } from "./deployables.ts";

/** Bundles all functions, or those named in `only`, to `<outDir>/<name>/index.mjs`. Returns the sizes of all files. */
export function bundle({ outDir, only }: { outDir: string; only?: readonly string[] }): Promise<{ outputs: Outputs }> {
  const selected = deployables.filter((each) => only === undefined || only.includes(each.name));
  return bundleChanged(selected.map(entryOf), outDir);
}

/** The names of the functions that `bundle` would build now. */
export function staleFunctions(outDir: string): string[] {
  return compareRecords(deployables.map(entryOf), outDir).stale.map(({ name }) => name);
}

function entryOf(each: Deployable): Entry {
  const entry = { name: each.name, source: sourceOf(each), readsTable: each.grants.includes("table:read") };
  if (each.kind !== "endpoint") return { ...entry, scripts: each.scripts };
  if (each.path !== catchAllPath) return entry;
  return { ...entry, paths: endpoints.map(({ path }) => path).filter((path) => !path.includes("{")) };
}
