import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import LongestFirst from "./support/longest-first.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

// Every worker is a new process that loads the same packages and bundles. This cache keeps their compiled code.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url));

export default defineConfig({
  root,
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/engines.ts"],
    setupFiles: ["test/support/own-table.ts", "test/support/capture-logs.ts"],
    reporters: ["dot", fileURLToPath(new URL("support/closing-line.ts", import.meta.url))],
    // Node loads the bundles itself, as in Lambda. Vitest must not transform them.
    server: { deps: { external: [/\/dist\/[\w-]+\/index\.mjs$/] } },
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    maxWorkers: 3,
    // Only for tests that never end: a busy machine can be many times slower than an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
