// An uploaded file, checked in the order of the contract's errors before anything of it is stored or read.
import { invalidField } from "../errors.ts";
import { type FileKind, fits, kindOf, mimeTypes } from "./file-type.ts";
import { fileBytesMax } from "./limits.ts";

export interface Upload {
  bytes: Buffer;
  kind: FileKind;
}

/** The file's bytes and kind; INVALID_ARGUMENT names what is wrong. */
export function uploadOf({ fileBase64, mimeType }: { fileBase64: string; mimeType: string }): Upload {
  const text = /\s/.test(fileBase64) ? fileBase64.replace(/\s+/g, "") : fileBase64;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.replace(/=+$/, "").length % 4 === 1) {
    throw invalidField(["fileBase64"], "Must be base64.");
  }
  const bytes = Buffer.from(text, "base64");
  if (bytes.length > fileBytesMax) throw invalidField(["fileBase64"], "The decoded file must have at most 5 MB.");
  const kind = kindOf(mimeType);
  if (!kind) throw invalidField(["mimeType"], `Is not supported. Supported are ${mimeTypes.join(", ")}.`);
  if (!fits(bytes, kind)) throw invalidField(["fileBase64"], "The file is not of the type that mimeType says.");
  return { bytes, kind };
}
