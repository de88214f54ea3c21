// The process that bundles functions while the server runs already. esbuild holds all it has parsed until it ends, which
// is far more memory than the server needs, so it ends with this process.
import { stop } from "esbuild";
import { bundle } from "../bundle.ts";

/** What the server asks for: first the list of all functions to build, then those that a call waits for. */
export type Asked = { build: string[]; outDir: string } | { wanted: string };

export type Told = { built: string[] } | { failed: string };

/** Functions in one call of esbuild. More of them take less time in all, and more memory at once. */
const together = 24;

const waiting = new Set<string>();
let outDir = "";

async function build(names: string[]): Promise<void> {
  for (const name of names) waiting.delete(name);
  await bundle({ outDir, only: names });
  tell({ built: names });
}

async function buildAll(): Promise<void> {
  while (waiting.size > 0) await build([...waiting].slice(0, together));
}

const tell = (told: Told) => void process.send?.(told);

function fail(thrown: unknown): void {
  tell({ failed: thrown instanceof Error ? thrown.message : String(thrown) });
  process.exitCode = 1;
  end();
}

function end(): void {
  void stop();
  process.disconnect();
}

/** Builds that a call waits for, beside the others. */
const urgent: Promise<void>[] = [];

process.on("message", (asked: Asked) => {
  if ("wanted" in asked) {
    if (waiting.has(asked.wanted)) urgent.push(build([asked.wanted]));
    return;
  }
  for (const name of asked.build) waiting.add(name);
  ({ outDir } = asked);
  // The first turn is for functions that calls wait for already.
  setImmediate(() =>
    buildAll()
      .then(() => Promise.all(urgent))
      .then(end, fail),
  );
});
// The server has ended or was killed.
process.on("disconnect", () => process.exit());
