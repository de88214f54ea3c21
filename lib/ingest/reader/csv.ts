import { parse } from "csv-parse/sync";
import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { decode } from "./decode.ts";
import { Table } from "./rows.ts";

/** Reads the rows of a CSV file with any usual delimiter, line end and encoding. Cells are never evaluated. */
export function readCsv(bytes: Buffer): Content {
  const text = decode(bytes);
  const table = new Table();
  try {
    parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: limits.lineCharacters * 8,
      on_record(record: string[]) {
        table.add(record);
        return null;
      },
    });
  } catch (cause) {
    if (cause instanceof UnreadableFile) throw cause;
    const isLong = (cause as { code?: string }).code === "CSV_MAX_RECORD_SIZE";
    throw new UnreadableFile(isLong ? "tooLarge" : "damaged", { cause });
  }
  table.end();
  return table.content;
}

/** The most frequent delimiter in the first 10,000 characters. */
function delimiterOf(text: string): string {
  const start = text.slice(0, 10_000);
  const count = (delimiter: string) => start.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, each) => (count(each) > count(best) ? each : best));
}
