import type { Content } from "../file-content.ts";
import { decode } from "./decode.ts";
import { Table } from "./table.ts";

const lineEnd = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;

/** Reads the lines of plain text or Markdown as they stand. Blank lines are marks. */
export function readText(bytes: Buffer): Content {
  const table = new Table();
  for (const line of decode(bytes).split(lineEnd)) table.addText(line.replaceAll("\t", "    "));
  return table.content;
}
