// Leaves out of bundles what fields mean. Only the OpenAPI document needs it, and each description costs time at every
// cold start: it copies its schema.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const call = /\bz\.(?:describe|meta)\(/;
/** A text, in which parentheses do not count, or a parenthesis. */
const token = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[()]/g;

/** The index after the parenthesis that closes the one before `start`. */
function endOfCall(source: string, start: number): number {
  let depth = 1;
  token.lastIndex = start;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    if (found[0] === "(") depth++;
    else if (found[0] === ")" && --depth === 0) return token.lastIndex;
  }
  throw new Error("A call of z.describe or z.meta has no end.");
}

/** The end of a call after its last argument. */
const end = /^\s*(?:,\s*)?\)/;

/** The source without its calls of `z.describe` and `z.meta`, and without the checks that have nothing else. */
export function withoutDescriptions(source: string): string {
  const found = call.exec(source);
  if (!found) return source;
  const before = source.slice(0, found.index).trimEnd();
  const after = source.slice(endOfCall(source, found.index + found[0].length));
  const check = ".check(";
  const isAlone = before.endsWith(check) && end.test(after);
  if (isAlone) return withoutDescriptions(before.slice(0, -check.length).trimEnd() + after.replace(end, ""));
  const isLast = /^\s*\)/.test(after);
  return withoutDescriptions(isLast ? before.replace(/,$/, "") + after : before + after.replace(/^\s*,/, ""));
}

const sources = ["functions", "lib"].map((folder) => fileURLToPath(new URL(`../../${folder}/`, import.meta.url)));

export const noDescriptions: Plugin = {
  name: "no-descriptions",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!sources.some((folder) => path.startsWith(folder))) return undefined;
      return { contents: withoutDescriptions(await readFile(path, "utf8")), loader: "ts" };
    });
  },
};
