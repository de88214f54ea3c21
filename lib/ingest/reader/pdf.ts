import { getDocumentProxy } from "unpdf";
import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { linesOf } from "./lines.ts";

/** Reads the text of a PDF, page by page. Images are ignored, and scripts do not run. */
export async function readPdf(bytes: Buffer): Promise<Content> {
  const document = await open(bytes);
  if (document.numPages > limits.pages) throw new UnreadableFile("tooLarge");
  let text = "";
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items) if ("str" in item) text += item.hasEOL ? `${item.str}\n` : item.str;
    if (text.length > limits.characters) throw new UnreadableFile("tooLarge");
    text += "\n\n";
    page.cleanup();
  }
  return linesOf(text);
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
