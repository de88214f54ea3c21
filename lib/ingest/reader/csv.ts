import type { Content } from "../file-content.ts";
import { decode } from "./decode.ts";
import { delimiterOf, recordsOf } from "./records.ts";
import { Table } from "./table.ts";

/** The faults that are named. */
const faultsMax = 20;

/** Reads the rows of a table in text form, with any usual delimiter, line end and encoding. */
export function readCsv(bytes: Buffer): Content {
  const whole = decode(bytes);
  // Excel's own line, which no program shows.
  const [line = "", named] = /^"?sep=([^\w\s"]|\t)"?(?=[\r\n])/i.exec(whole) ?? [];
  const text = whole.slice(line.length);
  const table = new Table();
  const faults: number[] = [];
  for (const cells of recordsOf(text, named ?? delimiterOf(text), (at) => faults.push(at + line.length))) {
    table.count(cells.length);
    table.add(cells);
  }
  for (const at of faults.slice(0, faultsMax)) {
    const number = whole.slice(0, at).split(/\r\n|\r|\n/).length;
    table.content.notes.push(`Line ${number} has a quote that never closes.`);
  }
  table.note(
    faults.length - faultsMax,
    "The file has",
    "further quote that never closes",
    "further quotes that never close",
  );
  return table.content;
}
