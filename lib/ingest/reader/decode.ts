import { UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { utf16Of } from "../file-type.ts";

/** Decodes a text file: UTF-8 or UTF-16, otherwise Windows-1252, which spreadsheets save. */
export function decode(bytes: Buffer): string {
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
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
