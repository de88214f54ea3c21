// Reads files of text: plain text, Markdown, and tables with delimiters.
import { analyse } from "chardet";
import { type Content, UnreadableFile } from "../file-content.ts";
import { utf16Of } from "../file-format.ts";
import { limits } from "../file-limits.ts";
import { delimiterOf, recordsOf } from "./records.ts";
import { Table } from "./table.ts";

const lineEnd = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;

/** Reads the lines of plain text or Markdown as they stand. Blank lines are marks. */
export function readText(bytes: Buffer): Content {
  const table = new Table();
  for (const line of decode(bytes).split(lineEnd)) table.addText(line.replaceAll("\t", "    "));
  return table.content;
}

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

/** Encodings that are told from Windows-1252, since their languages have other letters. Windows has its own form of Greek. */
const foreign = ["windows-1251", "windows-1253", "ISO-8859-7", "Shift_JIS", "GB18030", "Big5", "EUC-KR"];
/** Below it, texts in Western languages are taken for these too. */
const confidenceMin = 20;
const sampleBytes = 50_000;

/** Decodes a text file: UTF-8, UTF-16, or what a spreadsheet saves in the language of its system. */
function decode(bytes: Buffer): string {
  const text = decoded(bytes).replace(/^\ufeff/, "");
  if (text.length > limits.characters) throw new UnreadableFile("tooLarge");
  return text;
}

function decoded(bytes: Buffer): string {
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const [best] = analyse(bytes.subarray(0, sampleBytes));
    const isForeign = best && best.confidence >= confidenceMin && foreign.includes(best.name);
    return new TextDecoder(isForeign ? best.name.replace("ISO-8859-7", "windows-1253") : "windows-1252").decode(bytes);
  }
}
