// Files as programs make them, in `corpus/`. Beside each stands how people read it (`plan.pdf.txt`): a line for each line,
// `--- text` for a mark, an empty line for the mark of a blank line, and `! text` for a note.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Content } from "../../../lib/ingest/file-content.ts";
import type { FileKind } from "../../../lib/ingest/file-type.ts";
import { outputOf } from "../../../lib/ingest/reader/main.ts";
import { root } from "../../support/sources.ts";

const folder = `${root}/test/lib/ingest/corpus`;
const kinds: Record<string, FileKind> = { pdf: "pdf", txt: "text", markdown: "text" };
const names = readdirSync(folder);
const files = names.flatMap((name) => {
  const kind = kinds[name.split(".").at(-1) ?? ""];
  return kind && names.includes(`${name}.txt`) ? [{ name, kind }] : [];
});

function shown({ lines, marks, notes }: Content): string[] {
  const before = (at: number) => marks.filter((mark) => mark.before === at).map(({ text }) => text && `--- ${text}`);
  return [...lines.flatMap((line, at) => [...before(at), line]), ...notes.map((note) => `! ${note}`)];
}

/** How many lines of both stand in the same order. */
function common(one: readonly string[], other: readonly string[]): number {
  let above = new Array(other.length + 1).fill(0);
  for (const line of one) {
    const counts = [0];
    other.forEach((each, at) => {
      counts.push(each === line ? above[at] + 1 : Math.max(above[at + 1], counts[at] ?? 0));
    });
    above = counts;
  }
  return above[other.length];
}

it("shows at least 97 % of the lines of PDF and text files as people read them, in their order", async () => {
  let [right, all] = [0, 0];
  const wrong: string[] = [];
  for (const { name, kind } of files) {
    const expected = readFileSync(`${folder}/${name}.txt`, "utf8").split("\n").slice(0, -1);
    const actual = shown(JSON.parse(await outputOf(readFileSync(`${folder}/${name}`), kind)));
    const most = Math.max(expected.length, actual.length);
    right += common(expected, actual);
    all += most;
    const others = actual.filter((line) => !expected.includes(line));
    wrong.push(...others.map((line) => `${name}: ${line}`));
  }
  process.stdout.write(`${files.length} files, ${all} lines, ${((100 * right) / all).toFixed(1)} % right\n`);
  expect(files.length).toBeGreaterThan(40);
  expect(right / all, wrong.join("\n")).toBeGreaterThanOrEqual(0.97);
});
