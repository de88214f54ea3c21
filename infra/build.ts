// The entry point of `npm run build`.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./build/bundle.ts";
import { buildClient } from "./client/build.ts";
import { apiDocument } from "./openapi/api-document.ts";

const startedAt = performance.now();
const outDir = fileURLToPath(new URL("../dist", import.meta.url));
const { outputs } = await bundle({ outDir });
await buildClient(join(outDir, "client"));
await writeFile(join(outDir, "openapi.json"), `${JSON.stringify(apiDocument(), null, 2)}\n`);
const functions = Object.entries(outputs).filter(([path]) => path.endsWith("/index.mjs"));
const sizes = functions.map(([, { bytes }]) => bytes);
const kilobytes = (bytes: number) => Math.round(bytes / 1_000);
const average = kilobytes(sizes.reduce((sum, each) => sum + each, 0) / sizes.length);
const largest = kilobytes(Math.max(...sizes));
const durationMs = Math.round(performance.now() - startedAt);
console.log(
  `Built ${sizes.length} functions in dist/ in ${durationMs} ms: ${average} KB on average, ${largest} KB at most.`,
);
console.log("The typed client is in dist/client/.");
