import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import LongestFirst from "./support/longest-first.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Every worker is a new process that loads the same packages and bundles. This cache keeps their compiled code.
process.env.NODE_COMPILE_CACHE ??= file("../node_modules/.cache/node");

/** `npm run rehearse` has tests of its own, and a report. */
const ofRehearsal = {
  include: ["test/rehearse/**/*.test.ts", "test/rehearse/whole/*.ts"],
  reporters: ["dot", file("rehearse/reporter.ts"), file("support/closing-line.ts")],
};
const ofAll = { include: ["test/**/*.test.ts"], reporters: ["dot", file("support/closing-line.ts")] };

export default defineConfig(({ mode }) => ({
  root: file(".."),
  test: {
    ...(mode === "rehearse" ? ofRehearsal : ofAll),
    globalSetup: ["test/support/engines.ts"],
    setupFiles: ["test/support/own-table.ts", "test/support/capture-logs.ts"],
    // Node loads the bundles itself, as in Lambda. Vitest must not transform them.
    server: { deps: { external: [/\/dist\/[\w-]+\/index\.mjs$/] } },
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    maxWorkers: 3,
    // Only for tests that never end: a busy machine can be many times slower than an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
}));
