import { analyse } from "chardet";
import { UnreadableFile } from "../file-content.ts";
import { utf16Of } from "../file-format.ts";
import { limits } from "../file-limits.ts";

/** Encodings that are told from Windows-1252, since their languages have other letters. Windows has its own form of Greek. */
const foreign = ["windows-1251", "windows-1253", "ISO-8859-7", "Shift_JIS", "GB18030", "Big5", "EUC-KR"];
/** Below it, texts in Western languages are taken for these too. */
const confidenceMin = 20;
const sampleBytes = 50_000;

/** Decodes a text file: UTF-8, UTF-16, or what a spreadsheet saves in the language of its system. */
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
    const [best] = analyse(bytes.subarray(0, sampleBytes));
    const isForeign = best && best.confidence >= confidenceMin && foreign.includes(best.name);
    return new TextDecoder(isForeign ? best.name.replace("ISO-8859-7", "windows-1253") : "windows-1252").decode(bytes);
  }
}
