import type { Metafile } from "esbuild";
import { bundleEntries, type Entry } from "./bundler.ts";
import { type Deployable, deployables, sourceOf } from "./deployables.ts";

/** Bundles all functions, or those named in `only`, to `<outDir>/<name>/index.mjs`. Returns esbuild's metafile. */
export function bundle({ outDir, only }: { outDir: string; only?: readonly string[] }): Promise<Metafile> {
  const selected = deployables.filter((each) => only === undefined || only.includes(each.name));
  return bundleEntries(selected.map(entryOf), outDir);
}

function entryOf(each: Deployable): Entry {
  const scripts = each.kind === "endpoint" ? {} : each.scripts;
  return { name: each.name, source: sourceOf(each), readsTable: each.grants.includes("table:read"), scripts };
}
