import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { builtins, quietYjs } from "./bundler-plugins.ts";
import { noDescriptions } from "./descriptions.ts";
import { leanSdk } from "./lean-sdk.ts";

export interface Entry {
  name: string;
  /** Relative to the project's root, or absolute. */
  source: string;
  /** Whether the function may read the table. If so, its init phase reads from the table to open the connection. */
  readsTable: boolean;
  /** The paths of all endpoints, for the function that suggests one in place of an unknown path. */
  paths?: readonly string[];
  /** Source files of further bundles in the same folder, by bundle name. */
  scripts?: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Calls esbuild once for all functions and once for all scripts, so that each call parses shared files once. */
export async function bundleEntries(entries: readonly Entry[], outDir: string): Promise<Metafile> {
  const functions = entries.map(({ name }) => ({ in: `function:${name}`, out: `${name}/index` }));
  const scripts = entries.flatMap(({ name, scripts = {} }) =>
    Object.entries(scripts).map(([script, source]) => ({ in: resolve(root, source), out: `${name}/${script}` })),
  );
  const options = {
    absWorkingDir: root,
    outdir: outDir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    // `conditions` stays unset: a value would replace the default "module" and select the SDK's CommonJS files.
    mainFields: ["module", "main"],
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "silent",
    plugins: [entryPoints(entries), builtins, leanSdk, quietYjs, noDescriptions],
  } as const satisfies BuildOptions;
  const built = await Promise.all([
    build({ ...options, entryPoints: functions, minify: true }),
    // Without minifySyntax: it takes seconds for a library of 1.6 MB that is already minified, and saves nothing.
    build({ ...options, entryPoints: scripts, minifyWhitespace: true, minifyIdentifiers: true }),
  ]);
  const outputFiles = built.flatMap((each) => each.outputFiles);
  await Promise.all(outputFiles.map(({ path, contents }) => replaceFile(path, contents)));
  const [{ metafile }, { metafile: ofScripts }] = built;
  return {
    inputs: { ...metafile.inputs, ...ofScripts.inputs },
    outputs: { ...metafile.outputs, ...ofScripts.outputs },
  };
}

/** Generates the entry modules. Top-level code runs in Lambda's init phase, which has a full CPU at any memory size. */
function entryPoints(entries: readonly Entry[]): Plugin {
  const codeOf = ({ source, readsTable, paths }: Entry) => {
    const lines = [`export { handler } from ${JSON.stringify(resolve(root, source))};`];
    if (paths) {
      lines.push('import { suggestPaths } from "./lib/http/nearest.ts";', `suggestPaths(${JSON.stringify(paths)});`);
    }
    if (readsTable) {
      lines.push('import { warmUp } from "./lib/store/format.ts";');
      lines.push("if (process.env.AWS_LAMBDA_FUNCTION_NAME) await warmUp();");
    }
    return lines.join("\n");
  };
  const code = new Map(entries.map((entry) => [entry.name, codeOf(entry)]));
  return {
    name: "entry-points",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^function:/ }, ({ path }) => ({
        path: path.slice("function:".length),
        namespace: "function",
      }));
      onLoad({ filter: /.*/, namespace: "function" }, ({ path }) => ({
        contents: code.get(path) ?? "",
        resolveDir: root,
      }));
    },
  };
}

/** Replaces the file atomically, and only when its content changes: a running server may load it at any time. */
async function replaceFile(path: string, contents: Uint8Array): Promise<void> {
  const current = await readFile(path).catch(() => undefined);
  if (current?.equals(contents)) return;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, contents);
  await rename(draft, path);
}
