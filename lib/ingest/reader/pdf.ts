import { getDocumentProxy } from "unpdf";
import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { linesOf } from "./pdf-layout.ts";
import { type Page, textsOf } from "./pdf-pages.ts";
import { piecesOf } from "./pdf-pieces.ts";
import { withinLimits } from "./pdf-work.ts";
import { Table } from "./table.ts";

/** Reads the text of a PDF, page by page. Images are ignored, and scripts do not run. */
export const readPdf = (bytes: Buffer): Promise<Content> => withinLimits(() => readWhole(bytes));

async function readWhole(bytes: Buffer): Promise<Content> {
  const document = await open(bytes);
  if (document.numPages > limits.pages) throw new UnreadableFile("tooLarge");
  const { info } = (await document.getMetadata()) as { info: { IsAcroFormPresent?: boolean } };
  const pages: Page[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const groups = await piecesOf(page, info.IsAcroFormPresent === true);
    pages.push({ lines: groups.flatMap(linesOf), height: page.getViewport({ scale: 1 }).height });
    page.cleanup();
  }
  const table = new Table();
  textsOf(pages).forEach((texts, index) => {
    if (pages.length > 1) table.mark(`Page ${index + 1}`);
    for (const text of texts) table.addText(text);
  });
  return table.content;
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
