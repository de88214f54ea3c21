import { type Content, UnreadableFile } from "../file-content.ts";
import { checkArchive } from "./archive.ts";
import { Table } from "./rows.ts";

/** Reads the rows of a workbook, sheet by sheet: stored values, and the stored results of formulas. */
export async function readWorkbook(bytes: Buffer): Promise<Content> {
  if (bytes.readUInt32BE(0) === 0xd0cf11e0) throw new UnreadableFile("encrypted");
  checkArchive(bytes);
  // The library is loaded only after the check, so that a refused file costs little.
  const { readXlsx } = await import("hucre/xlsx");
  const { sheets } = await readXlsx(bytes).catch((cause) => {
    const isEncrypted = (cause as { name?: string }).name === "EncryptedFileError";
    throw new UnreadableFile(isEncrypted ? "encrypted" : "damaged", { cause });
  });
  const table = new Table();
  for (const { name, rows } of sheets) {
    table.begin(sheets.length > 1 ? name : undefined);
    for (const row of rows) table.add(row.map(textOf));
    table.end();
  }
  return table.content;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, "");
  if (typeof value === "object") return "text" in value ? String(value.text) : "";
  return String(value);
}
