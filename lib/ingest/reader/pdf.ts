import { getDocumentProxy } from "unpdf";
import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { linesOf } from "./pdf-layout.ts";
import { type Page, textsOf } from "./pdf-pages.ts";
import { piecesOf } from "./pdf-pieces.ts";
import { withinLimits } from "./pdf-work.ts";
import { partsOf } from "./text.ts";

/** Reads the text of a PDF, page by page. Images are ignored, and scripts do not run. */
export const readPdf = (bytes: Buffer): Promise<Content> => withinLimits(() => readWhole(bytes));

async function readWhole(bytes: Buffer): Promise<Content> {
  const document = await open(bytes);
  if (document.numPages > limits.pages) throw new UnreadableFile("tooLarge");
  const { info } = (await document.getMetadata()) as { info: { IsAcroFormPresent?: boolean } };
  const pages: Page[] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const groups = await piecesOf(page, info.IsAcroFormPresent === true);
    const lines = groups.flatMap(linesOf);
    for (const { text } of lines) characters += text.length;
    if (characters > limits.characters) throw new UnreadableFile("tooLarge");
    pages.push({ lines, height: page.getViewport({ scale: 1 }).height });
    page.cleanup();
  }
  return contentOf(textsOf(pages));
}

function contentOf(pages: readonly string[][]): Content {
  const content: Content = { lines: [], marks: [], notes: [] };
  pages.forEach((texts, index) => {
    if (pages.length > 1) content.marks.push({ before: content.lines.length, text: `Page ${index + 1}` });
    for (const line of texts.flatMap(partsOf)) content.lines.push(line);
  });
  return content;
}

async function open(bytes: Buffer) {
  try {
    const options = { isEvalSupported: false, useSystemFonts: false, disableFontFace: true, verbosity: 0 };
    return await getDocumentProxy(new Uint8Array(bytes), options);
  } catch (cause) {
    const isEncrypted = (cause as { name?: string }).name === "PasswordException";
    throw new UnreadableFile(isEncrypted ? "encrypted" : "damaged", { cause });
  }
}
