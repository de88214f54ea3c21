// Files as people have them, and how each is rendered. `name.ext.txt` has the lines as a person reads them, a mark as
// "--- text", and a note as "! text". To add a case, add both files.
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { expect, it } from "vitest";
import type { Content } from "../../../lib/ingest/file-content.ts";
import { kindOf, mimeTypes } from "../../../lib/ingest/file-type.ts";
import { outputOf } from "../../../lib/ingest/reader/main.ts";
import { root } from "../../support/sources.ts";

const folder = `${root}/test/lib/ingest/corpus`;
const files = readdirSync(folder);
const types: Record<string, string> = {
  ".csv": "text/csv",
  ".tsv": "text/tab-separated-values",
  ".plain": "text/plain",
  ".xls": "application/vnd.ms-excel",
  ".xlsx": mimeTypes.find((type) => type.endsWith(".sheet")) as string,
  ".docx": mimeTypes.find((type) => type.endsWith(".document")) as string,
};

it.each(files.filter((name) => types[extname(name)] && files.includes(`${name}.txt`)))(
  "%s is rendered as it is shown",
  async (name) => {
    const bytes = readFileSync(`${folder}/${name}`);
    const kind = kindOf(types[extname(name)] as string, bytes);
    const content = JSON.parse(await outputOf(bytes, kind as never));
    expect(rendered(content)).toBe(readFileSync(`${folder}/${name}.txt`, "utf8"));
  },
);

it("each file of the corpus has its rendering", () => {
  expect(files.filter((name) => !name.endsWith(".txt") && !files.includes(`${name}.txt`))).toEqual([]);
});

function rendered({ lines, marks, notes }: Content): string {
  const all = lines.flatMap((line, index) => [
    ...marks.filter(({ before }) => before === index).map(({ text }) => `--- ${text}`),
    line,
  ]);
  return [...all, ...notes.map((note) => `! ${note}`), ""].join("\n");
}
