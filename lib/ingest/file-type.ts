// The supported file types, and the checks of an uploaded file before it is stored or read (DECISIONS.md#file-types).
import * as z from "zod/mini";
import { invalidField } from "../errors.ts";
import { mustNotBeEmpty } from "../schema/messages.ts";
import { mustHaveNo, Text } from "../schema/primitives.ts";
import { formatOf, formats, utf16Of } from "./file-format.ts";
import { fileBytesMax } from "./file-limits.ts";
import { isTable } from "./reader/records.ts";

export type FileKind = "csv" | "pdf" | "xlsx" | "docx" | "text";

const officeType = "application/vnd.openxmlformats-officedocument.";
/** The kinds that a file of a type can have. Its bytes decide, since systems and programs disagree on types. */
const kinds: Record<string, FileKind[]> = {
  "text/csv": ["csv"],
  "application/csv": ["csv"],
  "application/x-csv": ["csv"],
  "text/x-csv": ["csv"],
  "text/comma-separated-values": ["csv"],
  "text/tab-separated-values": ["csv"],
  "application/pdf": ["pdf"],
  [`${officeType}spreadsheetml.sheet`]: ["xlsx"],
  // Windows with Excel sends it for each file that Excel opens.
  "application/vnd.ms-excel": ["xlsx", "csv"],
  "application/vnd.ms-excel.sheet.macroenabled.12": ["xlsx"],
  [`${officeType}wordprocessingml.document`]: ["docx"],
  "application/vnd.ms-word.document.macroenabled.12": ["docx"],
  "text/plain": ["text", "csv"],
  "text/x-markdown": ["text"],
  "text/markdown": ["text"],
};
export const mimeTypes = Object.keys(kinds);

/** The type alone, in lower case: its parameters are ignored. */
export const essenceOf = (mimeType: string) => mimeType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
const kindsOf = (mimeType: string): FileKind[] => {
  const essence = essenceOf(mimeType);
  return (Object.hasOwn(kinds, essence) && kinds[essence]) || [];
};

/** The beginning of a text. In each encoding, delimiters are as in Latin-1. */
const sampleOf = (bytes: Buffer) => new TextDecoder(utf16Of(bytes) ?? "latin1").decode(bytes.subarray(0, 50_000));

/** The kind of a file. Undefined if its bytes do not match its type. */
export function kindOf(mimeType: string, bytes: Buffer): FileKind | undefined {
  const accepted = kindsOf(mimeType);
  const format = formatOf(bytes);
  const isText = format === "text" || (format === "html" && accepted.includes("text"));
  if (isText && accepted.includes("csv") && accepted.includes("text")) return isTable(sampleOf(bytes)) ? "csv" : "text";
  return accepted.find((kind) => {
    if (kind === "csv" || kind === "text") return isText;
    // The reader refuses an encrypted file, whatever is in it.
    return kind === format || (format === "encrypted" && kind !== "pdf");
  });
}

/** Says what is wrong with a file in base64. Accepts white space and missing padding, which are common. */
export function problemOfFile(fileBase64: string): string | undefined {
  const text = /\s/.test(fileBase64) ? fileBase64.replace(/\s+/g, "") : fileBase64;
  const digits = text.replace(/={1,2}$/, "");
  const prefix = /^data:[^,]{0,200},/i.exec(text)?.[0];
  if (prefix) return `Must be base64 alone: remove "${prefix}".`;
  if (/[-_]/.test(digits) && /^[\w-]+$/.test(digits))
    return 'Must be base64, not base64url: replace "-" by "+" and "_" by "/".';
  if (!/^[A-Za-z0-9+/]+$/.test(digits) || digits.length % 4 === 1) return "Must be base64.";
  const bytes = Math.floor((digits.length * 3) / 4);
  return bytes > fileBytesMax ? "Must have at most 5 MB decoded." : undefined;
}

/** Says what is wrong with a MIME type. */
export function problemOfType(mimeType: string): string | undefined {
  if (kindsOf(mimeType).length > 0) return undefined;
  return `Is not supported: save the file as .xlsx, .docx, PDF, CSV or text, and use one of ${mimeTypes.join(", ")}.`;
}

export const FileType = Text.check(
  z.minLength(1, { error: mustNotBeEmpty, abort: true }),
  mustHaveNo(problemOfType),
  z.describe(`The type of the file: one of ${mimeTypes.join(", ")}. The content must match.`),
);

/** The bytes and the kind of a file of that type. INVALID_ARGUMENT of the field if the bytes do not match the type. */
export function fileOf(bytes: Buffer, mimeType: string, field: "fileBase64" | "uploadId") {
  const kind = kindOf(mimeType, bytes);
  if (kind) return { bytes, kind };
  const format = formatOf(bytes);
  const message = format ? `Does not match mimeType: the file is ${formats[format]}` : "Does not match mimeType";
  throw invalidField([field], message.replace(/\.?$/, "."));
}
