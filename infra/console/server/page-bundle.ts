// Bundles the console's page at its first request, so that a start costs nothing.
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Asset {
  type: string;
  body: Uint8Array;
}

const folder = fileURLToPath(new URL("../page/", import.meta.url));

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

let kept: Promise<Map<string, Asset>> | undefined;

/** The files of the page by name: index.html, app.js, app.css. A failed build is tried again at the next request. */
export function bundlePage(): Promise<Map<string, Asset>> {
  kept ??= build().catch((thrown: unknown) => {
    kept = undefined;
    throw thrown;
  });
  return kept;
}

async function build(): Promise<Map<string, Asset>> {
  const esbuild = await import("esbuild");
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: folder,
      entryPoints: { app: "main.tsx" },
      outdir: join(folder, "out"),
      bundle: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      jsx: "automatic",
      jsxImportSource: "preact",
      minify: true,
      legalComments: "none",
      write: false,
      logLevel: "silent",
    });
    const built = outputFiles.map(({ path, contents }) => [path.slice(join(folder, "out/").length), contents] as const);
    const html = await readFile(join(folder, "index.html"));
    const files = [...built, ["index.html", html] as const];
    return new Map(files.map(([name, body]) => [name, { type: types[extname(name)] ?? "", body }]));
  } finally {
    // Otherwise esbuild's process stays, with its memory.
    await esbuild.stop();
  }
}
