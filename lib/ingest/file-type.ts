// The supported file types, and the checks of an uploaded file before it is stored or read (DECISIONS.md#file-types).
import * as z from "zod/mini";
import { invalidField } from "../errors.ts";
import { mustNotBeEmpty } from "../schema/messages.ts";
import { mustHaveNo } from "../schema/must-have-no.ts";
import { Text } from "../schema/primitives.ts";
import { fileBytesMax } from "./file-limits.ts";

const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const kinds: Record<string, FileKind> = {
  "text/csv": "csv",
  "application/pdf": "pdf",
  [spreadsheet]: "xlsx",
  "text/plain": "text",
  "text/markdown": "text",
};
export type FileKind = "csv" | "pdf" | "xlsx" | "text";

const mimeTypes = Object.keys(kinds);

/** The kind of a MIME type; case and parameters are ignored. Undefined: not supported. */
export function kindOf(mimeType: string): FileKind | undefined {
  const essence = mimeType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return Object.hasOwn(kinds, essence) ? kinds[essence] : undefined;
}

/** First bytes of binary formats. */
const binary = [
  "PK\x03\x04",
  "PK\x05\x06",
  "%PDF-",
  "\xd0\xcf\x11\xe0",
  "\x89PNG",
  "\xff\xd8\xff",
  "GIF8",
  "\x1f\x8b",
  "\x7fELF",
  "MZ\x90",
];

/**
 * Whether the bytes can be a file of that kind: checks their beginning, and that text has no zero bytes unless it is
 * UTF-16.
 */
export function fits(bytes: Buffer, kind: FileKind): boolean {
  const start = bytes.subarray(0, 1_024).toString("latin1");
  if (kind === "pdf") return start.includes("%PDF-");
  // An encrypted workbook is in a container of another format. The reader refuses it as encrypted.
  if (kind === "xlsx") return start.startsWith("PK\x03\x04") || start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
  return !binary.some((signature) => start.startsWith(signature)) && (isUtf16(bytes) || !bytes.includes(0));
}

/** Detects UTF-16 by its byte order mark, or by a zero in every second byte, as ASCII characters have in UTF-16. */
export function utf16Of(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const start = bytes.subarray(0, 64);
  if (start.length < 8 || bytes.length % 2 === 1) return undefined;
  const zeros = (parity: number) => start.every((byte, index) => (byte === 0) === (index % 2 === parity));
  return zeros(1) ? "utf-16le" : zeros(0) ? "utf-16be" : undefined;
}

const isUtf16 = (bytes: Buffer) => utf16Of(bytes) !== undefined;

interface Upload {
  bytes: Buffer;
  kind: FileKind;
}

/** Says what is wrong with a file in base64. Accepts white space and missing padding, which are common. */
export function problemOfFile(fileBase64: string): string | undefined {
  const text = /\s/.test(fileBase64) ? fileBase64.replace(/\s+/g, "") : fileBase64;
  const digits = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]+$/.test(digits) || digits.length % 4 === 1) return "Must be base64.";
  const bytes = Math.floor((digits.length * 3) / 4);
  return bytes > fileBytesMax ? "Must have at most 5 MB decoded." : undefined;
}

/** Says what is wrong with a MIME type. */
function problemOfType(mimeType: string): string | undefined {
  return kindOf(mimeType) ? undefined : `Is not supported: use one of ${mimeTypes.join(", ")}.`;
}

export const FileType = Text.check(
  z.minLength(1, { error: mustNotBeEmpty, abort: true }),
  mustHaveNo(problemOfType),
  z.describe(`The type of the file: one of ${mimeTypes.join(", ")}. The content must match.`),
);

/** The bytes and the kind of a file of that type. INVALID_ARGUMENT of the field if the bytes do not match the type. */
export function fileOf(bytes: Buffer, mimeType: string, field: "fileBase64" | "uploadId"): Upload {
  const kind = kindOf(mimeType) as FileKind;
  if (fits(bytes, kind)) return { bytes, kind };
  throw invalidField([field], "Does not match mimeType.");
}
