import { AsyncLocalStorage } from "node:async_hooks";
import { inflateSync } from "node:zlib";
import { getDocumentProxy } from "unpdf";
import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { linesOf } from "./pdf-layout.ts";
import { type Page, textsOf } from "./pdf-pages.ts";
import { piecesOf } from "./pdf-pieces.ts";
import { Table } from "./table.ts";

/** Reads the text of a PDF, page by page. Images are ignored, and scripts do not run. */
export const readPdf = (bytes: Buffer): Promise<Content> => withinLimits(() => readWhole(bytes));

async function readWhole(bytes: Buffer): Promise<Content> {
  const document = await open(bytes);
  if (document.numPages > limits.pages) throw new UnreadableFile("tooLarge");
  const pages: Page[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const groups = await piecesOf(page);
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
    return await getDocumentProxy(new Uint8Array(withPlainTables(bytes)), options);
  } catch (cause) {
    const isEncrypted = (cause as { name?: string }).name === "PasswordException";
    throw new UnreadableFile(isEncrypted ? "encrypted" : "damaged", { cause });
  }
}

/**
 * The library reads a table or list of the outline as a whole, again for each page, unless its role has another name.
 * Browsers and Writer name roles like this.
 */
function withPlainTables(bytes: Buffer): Buffer {
  const roles = /(?<=\/StructElem\s\/S ?\/)(?:Table|L)(?=\s)/g;
  const text = bytes.toString("latin1").replace(roles, (role) => role.toLowerCase());
  return Buffer.from(text, "latin1");
}

/**
 * Bounds the work of the PDF library, which has no limit itself. A small file can have forms that draw forms, or a stream
 * that unpacks to gigabytes. The library asks for the time at each form and after 100 operators. It decodes into arrays
 * of bytes. It makes each saved state from the one before, and each look at a state then takes longer. So the clock, the
 * arrays and the states count its work here. Throws above the limits, which do not depend on the speed of the machine.
 */
async function withinLimits<Value>(read: () => Promise<Value>): Promise<Value> {
  const { Uint8Array: bytesClass, DecompressionStream: streamClass, Date: clock } = globalThis;
  const { now } = clock;
  const { create } = Object;
  const depths = new WeakMap<object, number>();
  let [steps, bytes] = [limits.pdfSteps, limits.pdfBytes];
  // What else runs in the process is not counted.
  const reading = new AsyncLocalStorage<true>();
  // The library ignores most errors of a file. So each further step throws too, until the library gives up.
  const check = () => {
    if (steps < 0 || bytes < 0) throw new UnreadableFile("tooLarge");
  };
  const spend = (step: number, size: number) => {
    [steps, bytes] = [steps - step, bytes - size];
    check();
  };
  clock.now = () => {
    if (reading.getStore()) spend(1, 0);
    return now();
  };
  Object.create = (from: object | null, ...more: []) => {
    const made = create(from, ...more);
    if (!from || !reading.getStore()) return made;
    const depth = (depths.get(from) ?? 0) + 1;
    depths.set(made, depth);
    if (depth > limits.pdfDepth) spend(Number.POSITIVE_INFINITY, 0);
    return made;
  };
  globalThis.Uint8Array = new Proxy(bytesClass, {
    construct(target, parameters, self) {
      if (reading.getStore()) spend(0, typeof parameters[0] === "number" ? parameters[0] : 0);
      return Reflect.construct(target, parameters, self);
    },
  });
  // The library writes a stream as a whole. If this fails, it decodes the stream with its own code.
  const transform = (packed: Uint8Array, sink: TransformStreamDefaultController) =>
    sink.enqueue(inflateSync(packed, { maxOutputLength: Math.max(1, bytes) }));
  globalThis.DecompressionStream = class extends TransformStream {
    constructor() {
      super({ transform });
    }
  } as typeof DecompressionStream;
  try {
    const value = await reading.run(true, read);
    check();
    return value;
  } catch (cause) {
    check();
    throw cause;
  } finally {
    Object.assign(globalThis, { Uint8Array: bytesClass, DecompressionStream: streamClass });
    clock.now = now;
    Object.create = create;
  }
}
