import { UnreadableFile } from "../content.ts";
import { utf16Of } from "../file-type.ts";
import { limits } from "../limits.ts";

/** Bytes of a text file as text: UTF-8 or UTF-16, and what is neither as Windows-1252, as spreadsheets save it. */
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
