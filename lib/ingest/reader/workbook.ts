import { inflateRawSync } from "node:zlib";
import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
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

const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const entryBytes = 46;

/** Throws unless the archive's directory is valid, within the limits, and states the true size of each entry. */
function checkArchive(bytes: Buffer): void {
  try {
    check(bytes);
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) throw thrown;
    throw new UnreadableFile("damaged", { cause: thrown });
  }
}

function check(bytes: Buffer): void {
  const end = bytes.lastIndexOf("PK\x05\x06");
  refuseUnless(end >= 0 && bytes.length - end >= endBytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > limits.entries) throw new UnreadableFile("tooLarge");
  const names = new Set<string>();
  let total = 0;
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    refuseUnless(bytes.readUInt32LE(at) === entrySignature);
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + entryBytes, at + entryBytes + nameLength);
    if (flags & 1) throw new UnreadableFile("encrypted");
    total += unpacked;
    if (unpacked > limits.entryBytes || total > limits.unpackedBytes) throw new UnreadableFile("tooLarge");
    refuseUnless((method === 0 || method === 8) && !names.has(name) && isInside(name));
    names.add(name);
    checkSize(bytes, bytes.readUInt32LE(at + 42), { packed, unpacked, method });
    at += entryBytes + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}

/** Unpacks an entry up to the size that the directory states. A smaller entry is refused too. */
function checkSize(bytes: Buffer, at: number, entry: { packed: number; unpacked: number; method: number }): void {
  const { packed, unpacked, method } = entry;
  refuseUnless(bytes.readUInt32LE(at) === localSignature);
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const data = bytes.subarray(start, start + packed);
  refuseUnless(data.length === packed);
  const size = method === 0 ? data.length : inflateRawSync(data, { maxOutputLength: Math.max(1, unpacked) }).length;
  refuseUnless(size === unpacked);
}

/** Entries are never written to disk, but a name outside the archive shows that it is malicious. */
function isInside(name: string): boolean {
  return !/^[/\\]|^[a-z]:|\0/i.test(name) && !name.split(/[/\\]/).includes("..");
}

function refuseUnless(holds: boolean): void {
  if (!holds) throw new UnreadableFile("damaged");
}
