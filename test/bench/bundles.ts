// Makes the bundles to measure: all functions and `ours` as the build makes them, the peers with esbuild's defaults.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundle } from "../../infra/build/bundle.ts";
import { bundleEntries } from "../../infra/build/bundler.ts";
import { outDir } from "../support/bundles.ts";

const source = (name: string) => fileURLToPath(new URL(`peers/${name}.ts`, import.meta.url));

export interface Size {
  name: string;
  bytes: number;
}

/** Bundles every function to the folder that the tests use too. Returns their sizes. */
export async function bundleFunctions(): Promise<Size[]> {
  const { outputs } = await bundle({ outDir });
  const functions = Object.entries(outputs).filter(([path]) => path.endsWith("/index.mjs"));
  return functions.map(([path, { bytes }]) => ({ name: path.split("/").at(-2) ?? path, bytes }));
}

/** Bundles the peers. Returns the file and size of each. */
export async function bundlePeers(dir: string): Promise<Map<string, { file: string; bytes: number }>> {
  const options = { bundle: true, minify: true, platform: "node", metafile: true, legalComments: "none" } as const;
  const built = new Map<string, { file: string; bytes: number }>();
  for (const name of ["empty", "plain", "express"]) {
    const file = join(dir, `${name}.cjs`);
    const { metafile } = await build({ ...options, entryPoints: [source(name)], outfile: file });
    built.set(name, { file, bytes: Object.values(metafile.outputs)[0]?.bytes ?? 0 });
  }
  const { outputs } = await bundleEntries([{ name: "ours", source: source("ours"), readsTable: true }], dir);
  built.set("ours", { file: join(dir, "ours/index.mjs"), bytes: Object.values(outputs)[0]?.bytes ?? 0 });
  return built;
}

/** Bundles the peer of the memory's search. Returns its file. */
export async function bundleMemoryPeer(dir: string): Promise<string> {
  const outfile = join(dir, "minisearch.mjs");
  const entryPoints = [source("minisearch")];
  await build({ bundle: true, minify: true, platform: "node", format: "esm", entryPoints, outfile });
  return outfile;
}
