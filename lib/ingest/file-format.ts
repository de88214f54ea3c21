// What a file is, by its bytes. Also formats that no reader reads, so that a refusal can name them.

/** What each format is called, and what to do with a file that is not read. */
export const formats = {
  pdf: "a PDF",
  xlsx: "an Excel workbook (XLSX)",
  docx: "a Word document (DOCX)",
  text: "text",
  encrypted: "an encrypted Office file",
  html: "HTML or XML. Save it as .xlsx, .docx or PDF.",
  xlsb: "a binary Excel workbook (XLSB). Save it as .xlsx.",
  json: "JSON. Send it as text/plain.",
  xls: "an old Excel workbook (XLS). Save it as .xlsx.",
  doc: "an old Word document (DOC). Save it as .docx.",
  pptx: "a presentation (PPTX). Save it as PDF.",
  odf: "an OpenDocument file. Save it as .xlsx, .docx or PDF.",
} as const;
export type FileFormat = keyof typeof formats;

/** Names in an archive that no other format has. They are not packed. */
const archives: [string, FileFormat][] = [
  ["word/document", "docx"],
  ["xl/workbook.bin", "xlsb"],
  ["ppt/presentation", "pptx"],
  ["application/vnd.oasis.opendocument", "odf"],
];
/** Names of streams in a container of old Office files. */
const streams: [string, FileFormat][] = [
  ["EncryptedPackage", "encrypted"],
  ["WordDocument", "doc"],
  ["Workbook", "xls"],
  ["Book", "xls"],
];
/** First bytes of other binary formats. */
const binary = ["\x89PNG", "\xff\xd8\xff", "GIF8", "\x1f\x8b", "\x7fELF", "MZ\x90", "PK\x05\x06"];

/** Undefined: an unknown format. */
export function formatOf(bytes: Buffer): FileFormat | undefined {
  const start = bytes.toString("latin1", 0, 1_024);
  if (start.includes("%PDF-")) return "pdf";
  if (start.startsWith("PK\x03\x04")) return archives.find(([name]) => bytes.includes(name))?.[1] ?? "xlsx";
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
    return streams.find(([name]) => bytes.includes(name, 0, "utf16le"))?.[1] ?? "encrypted";
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
