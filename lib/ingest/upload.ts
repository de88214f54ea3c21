// Checks an uploaded file before it is stored or read.
import { invalidField } from "../errors.ts";
import { fileBytesMax } from "./file-limits.ts";
import { type FileKind, fits, kindOf, mimeTypes } from "./file-type.ts";

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
export function problemOfType(mimeType: string): string | undefined {
  return kindOf(mimeType) ? undefined : `Is not supported: use one of ${mimeTypes.join(", ")}.`;
}

/** The bytes and the kind of a file without those problems. INVALID_ARGUMENT if the bytes do not match the type. */
export function uploadOf({ fileBase64, mimeType }: { fileBase64: string; mimeType: string }): Upload {
  const bytes = Buffer.from(fileBase64, "base64");
  const kind = kindOf(mimeType) as FileKind;
  if (fits(bytes, kind)) return { bytes, kind };
  throw invalidField(["fileBase64"], "Does not match mimeType.");
}
