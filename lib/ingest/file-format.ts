// What a file is, by its bytes. Also formats that no reader reads, so that a refusal can name them.

/** What each format is called, and what to do with a file that is not read. */
export const formats = {
  pdf: "a PDF",
  xlsx: "an Excel workbook (XLSX)",
  docx: "a Word document (DOCX)",
  text: "text",
  encrypted: "an encrypted Office file",
  html: "HTML or XML. Save it as .xlsx, .docx or PDF.",
  office: "an old or other Office file, such as XLS, DOC, RTF, PPTX or ODS. Save it as .xlsx, .docx or PDF.",
} as const;
export type FileFormat = keyof typeof formats;

/** Names of other Office files: in an archive, where they are not packed, and in a container of old files. */
const otherArchives = ["xl/workbook.bin", "ppt/presentation", "application/vnd.oasis.opendocument"];
const otherStreams = ["WordDocument", "Workbook", "Book"];
/** First bytes of other binary formats. */
const binary = ["\x89PNG", "\xff\xd8\xff", "GIF8", "\x1f\x8b", "\x7fELF", "MZ\x90", "PK\x05\x06"];

/** Undefined: an unknown format. */
export function formatOf(bytes: Buffer): FileFormat | undefined {
  const start = bytes.toString("latin1", 0, 1_024);
  if (start.includes("%PDF-")) return "pdf";
  if (start.startsWith("PK\x03\x04")) {
    if (bytes.includes("word/document")) return "docx";
    return otherArchives.some((name) => bytes.includes(name)) ? "office" : "xlsx";
  }
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
    return otherStreams.some((name) => bytes.includes(name, 0, "utf16le")) ? "office" : "encrypted";
  if (start.startsWith("{\\rtf")) return "office";
  if (binary.some((signature) => start.startsWith(signature)) || (!utf16Of(bytes) && bytes.includes(0)))
    return undefined;
  return /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|\?xml|html|head|meta|style|table)\b/i.test(start) ? "html" : "text";
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
