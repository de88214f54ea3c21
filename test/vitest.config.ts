import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Every worker is a new process that loads the same packages. This cache keeps their compiled code.
process.env.NODE_COMPILE_CACHE ??= file("../node_modules/.cache/node");

const common = {
  // Only for tests that never end: a busy machine can be many times slower than an idle one.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000 } },
  pool: "forks",
  env: { SLOWNESS: "60" },
} as const;

const root = file("..");
const all = "test/**/*.test.ts";
const sources = globSync(all, { cwd: root }).map((path) => ({ path, source: readFileSync(`${root}/${path}`, "utf8") }));
const testsWith = (words: RegExp) => sources.filter(({ source }) => words.test(source)).map(({ path }) => path);
/** Tests that replace modules need a process of their own. All others share processes, which load the sources once. */
const replacing = testsWith(/\bvi\.(mock|resetModules)\(/);
const ofEngines = "test/**/*.engines.test.ts";
const ofLong = "test/**/*.long.test.ts";
const exact = { ...common, setupFiles: ["test/support/exact/setup.ts", "test/support/capture-logs.ts"] };
const engines = {
  ...common,
  globalSetup: ["test/support/engines.ts"],
  setupFiles: ["test/support/own-table.ts", "test/support/capture-logs.ts"],
  // Node loads the bundles itself, as in Lambda. Vitest must not transform them.
  server: { deps: { external: [/\/dist\/[\w-]+\/index\.mjs$/] } },
};
/** Exact tests that have more cases in the long trial. */
const wider = testsWith(/support\/(property|aws\/faults|long)\.ts"/);

export default defineConfig(() => {
  const long = { ...common.env, LONG_SEED: process.env.LONG_SEED ?? Math.random().toString(36).slice(2, 8) };
  return {
    root,
    test: {
      reporters: ["dot", file("support/closing-line.ts")],
      maxWorkers: 2,
      fsModuleCache: true,
      projects: [
        project({
          ...exact,
          name: "exact",
          include: [all],
          exclude: [ofEngines, ofLong, ...replacing],
          isolate: false,
        }),
        project({ ...exact, name: "exact-alone", include: replacing, exclude: [ofEngines, ofLong] }),
        project({ ...engines, name: "engines", include: [ofEngines] }),
        project({ ...engines, name: "long", include: [ofLong], env: long }),
        project({ ...exact, name: "long-exact", include: wider, exclude: [ofEngines, ofLong], env: long }),
      ],
    },
  };
});

function project(test: object) {
  return { root, test };
}
