// Files as people have them, in `corpus/`. Beside each stands how a person reads it: `plan.pdf.txt` has a line for each
// line, "--- text" for a mark and "! text" for a note. To add a case, add both files.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Content } from "../../../lib/ingest/file-content.ts";
import { formatOf } from "../../../lib/ingest/file-format.ts";
import { type FileKind, kindOf } from "../../../lib/ingest/file-type.ts";
import { outputOf } from "../../../lib/ingest/reader/main.ts";
import { root } from "../../support/sources.ts";

const folder = `${root}/test/lib/ingest/corpus`;
const names = readdirSync(folder);
const files = names.flatMap((name) => {
  if (!names.includes(`${name}.txt`)) return [];
  const bytes = readFileSync(`${folder}/${name}`);
  const type = name.endsWith(".csv") ? "text/csv" : "text/plain";
  const kind = formatOf(bytes) === "text" ? kindOf(type, bytes) : (formatOf(bytes) as FileKind);
  return [{ name, bytes, kind: kind as FileKind, expected: readFileSync(`${folder}/${name}.txt`, "utf8") }];
});

async function shown({ bytes, kind }: { bytes: Buffer; kind: FileKind }): Promise<string> {
  const { lines, marks, notes }: Content = JSON.parse(await outputOf(bytes, kind));
  const before = (at: number) => marks.filter((mark) => mark.before === at).map(({ text }) => `--- ${text}`);
  return [...lines.flatMap((line, at) => [...before(at), line]), ...notes.map((note) => `! ${note}`), ""].join("\n");
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

describe("a file of the corpus", () => {
  it("has its rendering", () => {
    expect(names.filter((name) => !name.endsWith(".txt") && !names.includes(`${name}.txt`))).toEqual([]);
  });

  it.each(files.filter(({ kind }) => kind !== "pdf"))("is rendered as it is shown: $name", async (file) => {
    expect(await shown(file)).toBe(file.expected);
  });
});

/** The cells of a file, each with its column. */
const cellsOf = (lines: readonly string[]) =>
  lines.flatMap((line) => line.split(" | ").map((text, column) => `${column} ${text}`));

/** How many of the cells are also among the others, each once. */
function found(cells: readonly string[], others: readonly string[]): number {
  const left = Map.groupBy(others, (cell) => cell);
  return cells.filter((cell) => left.get(cell)?.pop() !== undefined).length;
}

it("shows at least 97 % of the lines of PDF files in their order, and 99 % of their cells", async () => {
  let [right, all, cells, rightCells] = [0, 0, 0, 0];
  const wrong: string[] = [];
  for (const file of files.filter(({ kind }) => kind === "pdf")) {
    const [expected, actual] = [file.expected, await shown(file)].map((text) => text.split("\n").slice(0, -1));
    if (!expected || !actual) continue;
    right += common(expected, actual);
    all += Math.max(expected.length, actual.length);
    cells += cellsOf(expected).length;
    rightCells += found(cellsOf(expected), cellsOf(actual));
    wrong.push(...actual.filter((line) => !expected.includes(line)).map((line) => `${file.name}: ${line}`));
  }
  process.stdout.write(`PDF files: ${right} of ${all} lines and ${rightCells} of ${cells} cells are right\n`);
  expect(all).toBeGreaterThan(500);
  expect(right / all, wrong.join("\n")).toBeGreaterThanOrEqual(0.97);
  expect(rightCells / cells, wrong.join("\n")).toBeGreaterThanOrEqual(0.99);
});
