// Bundles the console's page at its first request, so that a start costs nothing. An edited page is bundled again.
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Esbuild from "esbuild";

export interface Asset {
  type: string;
  body: Uint8Array;
}

const folder = fileURLToPath(new URL("../page/", import.meta.url));

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

let kept: { state: string; assets: Promise<Map<string, Asset>> } | undefined;

/** The files of the page by name: index.html, app.js, app.css, and the parts that they load. */
export async function bundlePage(): Promise<Map<string, Asset>> {
  const state = await folderState();
  if (kept?.state !== state) kept = { state, assets: build() };
  const { assets } = kept;
  // A failed build is tried again, also if no file has changed.
  assets.catch(() => {
    if (kept?.assets === assets) kept = undefined;
  });
  return assets;
}

/** Changes with each edit of a file of the page. */
async function folderState(): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const times = await Promise.all(files.map(async (path) => `${path} ${(await stat(path)).mtimeMs}`));
  return times.sort().join("\n");
}

let builds = 0;

async function build(): Promise<Map<string, Asset>> {
  const esbuild = await import("esbuild");
  builds += 1;
  try {
    return await bundled(esbuild);
  } finally {
    builds -= 1;
    // Otherwise esbuild's process stays, with its memory.
    if (builds === 0) await esbuild.stop();
  }
}

async function bundled(esbuild: typeof Esbuild): Promise<Map<string, Asset>> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: { app: "main.tsx" },
    outdir: join(folder, "out"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    publicPath: "/console/assets",
    loader: { ".svg": "file", ".woff2": "file" },
    assetNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    write: false,
    logLevel: "silent",
  });
  const built = outputFiles.map(({ path, contents }) => [path.slice(join(folder, "out/").length), contents] as const);
  const html = await readFile(join(folder, "index.html"));
  const files = [...built, ["index.html", html] as const];
  return new Map(
    files.map(([name, body]) => [name, { type: types[extname(name)] ?? "application/octet-stream", body }]),
  );
}
