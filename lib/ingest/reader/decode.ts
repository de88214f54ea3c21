import { UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";

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

/** Detects UTF-16 by its byte order mark, or by a zero in every second byte, as ASCII characters have in UTF-16. */
export function utf16Of(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const start = bytes.subarray(0, 64);
  if (start.length < 8 || bytes.length % 2 === 1) return undefined;
  const zeros = (parity: number) => start.every((byte, index) => (byte === 0) === (index % 2 === parity));
  return zeros(1) ? "utf-16le" : zeros(0) ? "utf-16be" : undefined;
}
