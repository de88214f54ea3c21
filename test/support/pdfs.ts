// Writes PDFs by hand, so that each can be invalid in exactly one way.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const md5 = (...parts: Buffer[]) => createHash("md5").update(Buffer.concat(parts)).digest();
const padded = (password: string) => Buffer.concat([Buffer.from(password, "latin1"), padding]).subarray(0, 32);

export const textOperators = (...lines: string[]) =>
  `BT /F1 12 Tf 14 TL 50 700 Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;

export interface PdfOptions {
  /** The content stream of each page, or of all `pages`. */
  content?: string | Buffer;
  pages?: number;
  /** The dictionary entries of the content stream beside its length. */
  filter?: string;
  /** The length that the content stream declares. */
  claimedBytes?: number;
  isEndless?: boolean;
  passwords?: { user: string; owner: string };
  xref?: "right" | "wrong";
  /** Further entries of the catalog and of each page, and further objects by their numbers. */
  catalog?: string;
  page?: string;
  objects?: [number, string][];
}

/** One PDF; its pages share one content stream. */
export function pdf(options: PdfOptions = {}): Buffer {
  const {
    content = textOperators("Check the title."),
    pages = 1,
    filter = "",
    passwords,
    xref = "right",
    catalog = "",
    objects: more = [],
  } = options;
  const security = passwords && securityOf(passwords);
  const data = security ? rc4(objectKey(security.key, 4), Buffer.from(content)) : Buffer.from(content);
  const kids = Array.from({ length: pages }, (_, index) => `${10 + index} 0 R`).join(" ");
  const page =
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >>";
  const stream = Buffer.concat([
    Buffer.from(`<< /Length ${options.claimedBytes ?? data.length} ${filter} >>\nstream\n`),
    data,
    Buffer.from(options.isEndless ? "" : "\nendstream"),
  ]);
  const objects: [number, Buffer | string][] = [
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`],
    [2, `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`],
    [3, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"],
    ...Array.from({ length: pages }, (_, index): [number, string] => [10 + index, `${page} ${options.page ?? ""} >>`]),
    ...(security ? ([[5, security.dictionary]] as [number, string][]) : []),
    [4, stream],
    ...more,
  ];
  return assembled(objects, { hasSecurity: security !== undefined, isWrong: xref === "wrong" });
}

function assembled(
  objects: [number, Buffer | string][],
  { hasSecurity, isWrong }: { hasSecurity: boolean; isWrong: boolean },
) {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets = new Map<number, number>();
  let offset = 9;
  for (const [number, body] of objects) {
    const object = Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(body), Buffer.from("\nendobj\n")]);
    offsets.set(number, offset);
    offset += object.length;
    parts.push(object);
  }
  const entries = [...offsets]
    .map(([number, at]) => `${number} 1\n${String(at).padStart(10, "0")} 00000 n \n`)
    .join("");
  const size = Math.max(...offsets.keys()) + 1;
  const security = hasSecurity ? `/Encrypt 5 0 R /ID [<${id.toString("hex")}> <${id.toString("hex")}>]` : "";
  const tail = `xref\n0 1\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R ${security} >>\nstartxref\n${isWrong ? 77 : offset}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(tail)]);
}

const id = Buffer.alloc(16, 7);

/** The standard security handler of PDF 1.1, with a key of 40 bits. */
function securityOf({ user, owner }: { user: string; owner: string }) {
  const permissions = -44;
  const ownerEntry = rc4(md5(padded(owner)).subarray(0, 5), padded(user));
  const bits = Buffer.alloc(4);
  bits.writeInt32LE(permissions);
  const key = md5(padded(user), ownerEntry, bits, id).subarray(0, 5);
  const hex = (bytes: Buffer) => `<${bytes.toString("hex")}>`;
  const dictionary = `<< /Filter /Standard /V 1 /R 2 /O ${hex(ownerEntry)} /U ${hex(rc4(key, padding))} /P ${permissions} >>`;
  return { key, dictionary };
}

const objectKey = (key: Buffer, number: number) => md5(key, Buffer.from([number, 0, 0, 0, 0])).subarray(0, 10);

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (one: number, other: number) => {
    [state[one], state[other]] = [state[other] as number, state[one] as number];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] as number) + (key[i % key.length] as number)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + (state[i] as number)) & 255;
    swap(i, j);
    return byte ^ (state[((state[i] as number) + (state[j] as number)) & 255] as number);
  }) as Buffer;
}

/** A page with one line of text after `spaces` spaces, deflated twice. */
export function deflatedTwice(spaces: number): PdfOptions {
  const once = deflateSync(Buffer.concat([Buffer.alloc(spaces, " "), Buffer.from(textOperators("Check the bomb."))]));
  return { content: deflateSync(once), filter: "/Filter [/FlateDecode /FlateDecode]" };
}

/** A page with an image and no text. */
export const imageOnly: PdfOptions = {
  content: "q 100 0 0 100 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q",
};

/** `depth` levels of forms. Each form draws the `count` forms of the next level, and those of the last level draw `leaf`. */
export function formsThatDrawForms(depth: number, count: number, leaf: string): Buffer {
  const each = (text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at)).join(" ");
  const draw = each((at) => `/X${at} Do`);
  const resources = (level: number) =>
    `/Resources << /Font << /F1 3 0 R >> /XObject << ${each((at) => `/X${at} ${20 + level * count + at} 0 R`)} >> >>`;
  const objects = Array.from({ length: depth * count }, (_, at): [number, string] => {
    const level = Math.floor(at / count) + 1;
    const content = level === depth ? leaf : draw;
    const head = `/Type /XObject /Subtype /Form /BBox [0 0 600 800] ${resources(level)} /Length ${content.length}`;
    return [20 + at, `<< ${head} >>\nstream\n${content}\nendstream`];
  });
  return pdf({ content: `${textOperators("Check the title.")} ${draw}`, page: resources(0), objects });
}
