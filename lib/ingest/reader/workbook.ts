import { type Content, UnreadableFile } from "../content.ts";
import { checkArchive } from "./archive.ts";
import { Table } from "./table.ts";

/** The rows of a workbook, sheet after sheet: stored values, and the last results of formulas. */
export async function readWorkbook(bytes: Buffer): Promise<Content> {
  if (bytes.readUInt32BE(0) === 0xd0cf11e0) throw new UnreadableFile("encrypted");
  checkArchive(bytes);
  // Loaded only after the check of the directory, so that a refused file costs little.
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
