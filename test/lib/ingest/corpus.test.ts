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

it("shows at least 97 % of the lines of PDF files as people read them, in their order", async () => {
  let [right, all] = [0, 0];
  const wrong: string[] = [];
  for (const file of files.filter(({ kind }) => kind === "pdf")) {
    const [expected, actual] = [file.expected, await shown(file)].map((text) => text.split("\n").slice(0, -1));
    if (!expected || !actual) continue;
    right += common(expected, actual);
    all += Math.max(expected.length, actual.length);
    wrong.push(...actual.filter((line) => !expected.includes(line)).map((line) => `${file.name}: ${line}`));
  }
  process.stdout.write(`${all} lines of PDF files, ${((100 * right) / all).toFixed(1)} % right\n`);
  expect(all).toBeGreaterThan(500);
  expect(right / all, wrong.join("\n")).toBeGreaterThanOrEqual(0.97);
});
