// The process that reads a file: bytes on standard input, JSON on standard output. It has no credentials, cannot write,
// and is killed when it takes too much memory or time.
import { type Content, type Problem, UnreadableFile } from "../file-content.ts";
import type { FileKind } from "../file-type.ts";

export async function main(): Promise<void> {
  const kind = process.argv[2] as FileKind;
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part);
  const output = await outputOf(Buffer.concat(parts), kind);
  process.stdout.write(output, () => process.exit());
}

/** The text that the process writes: the content, or why the file cannot be read. */
export async function outputOf(bytes: Buffer, kind: FileKind): Promise<string> {
  const result = await read(bytes, kind).catch((thrown): { problem: Problem } => ({
    problem: thrown instanceof UnreadableFile ? thrown.problem : "damaged",
  }));
  return JSON.stringify(result);
}

async function read(bytes: Buffer, kind: FileKind): Promise<Content> {
  const content = await contentOf(bytes, kind);
  if (content.lines.length === 0) throw new UnreadableFile("empty");
  return content;
}

/** Imports only the reader that the file needs, since readers are large. */
async function contentOf(bytes: Buffer, kind: FileKind): Promise<Content> {
  if (kind === "pdf") return (await import("./pdf.ts")).readPdf(bytes);
  if (kind === "xlsx") return (await import("./workbook.ts")).readWorkbook(bytes);
  if (kind === "docx") return (await import("./document.ts")).readDocument(bytes);
  const { readCsv, readText } = await import("./text.ts");
  return kind === "csv" ? readCsv(bytes) : readText(bytes);
}
