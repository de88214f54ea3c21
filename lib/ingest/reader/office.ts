// The parts of an Office file: an archive of XML files that refer to each other by relations.
import { inflateRawSync } from "node:zlib";
import { SaxesParser } from "saxes";
import { UnreadableFile } from "../file-content.ts";
import { utf16Of } from "../file-format.ts";
import { limits } from "../file-limits.ts";

/** Names of elements and attributes have no prefix. */
export type Attributes = Record<string, string | undefined>;
export interface Handlers {
  open?: (element: string, attributes: Attributes) => void;
  /** `text` is what follows the last start or end of an element. */
  close?: (element: string, text: string) => void;
}

/** Elements that are not shown, or are shown elsewhere too: how a word is spoken, an older form, a former place or state. */
const unseen = new Set(["rPh", "Fallback", "moveFrom", "pPrChange"]);
const chunkBytes = 65_536;

export class OfficeFile {
  readonly #parts: Map<string, () => Buffer>;

  constructor(bytes: Buffer) {
    // An encrypted file is in a container of another format.
    if (bytes.toString("latin1", 0, 4) === "\xd0\xcf\x11\xe0") throw new UnreadableFile("encrypted");
    this.#parts = unzip(bytes);
  }

  /** Reads a part, if there is one. Most faults are ignored, and entities that it declares stay as they are. */
  read(path: string | undefined, { open, close }: Handlers): void {
    const bytes = this.#parts.get(path?.toLowerCase() ?? "")?.();
    if (!bytes) return;
    let [text, unseenDepth] = ["", 0];
    const parser = new SaxesParser({ position: false });
    parser.on("error", ({ message }) => {
      if (/^unclosed tag|^unexpected end/.test(message)) throw new UnreadableFile("damaged");
    });
    parser.on("opentag", ({ name, attributes }) => {
      text = "";
      if (unseenDepth > 0 || unseen.has(local(name))) unseenDepth++;
      else open?.(local(name), withoutPrefixes(attributes as Attributes));
    });
    parser.on("closetag", ({ name }) => {
      if (unseenDepth > 0) unseenDepth--;
      else close?.(local(name), text);
      text = "";
    });
    const add = (more: string) => {
      text += more;
    };
    parser.on("text", add);
    parser.on("cdata", add);
    const decoder = new TextDecoder(utf16Of(bytes) ?? "utf-8");
    for (let at = 0; at < bytes.length; at += chunkBytes)
      parser.write(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }));
    parser.close();
  }

  /** The path of the main part, such as xl/workbook.xml. */
  get main(): string {
    const [path = ""] = this.pathsOf("").get("officeDocument") ?? [];
    if (this.#parts.has(path.toLowerCase())) return path;
    throw new UnreadableFile("damaged");
  }

  /** The paths of the parts that a part refers to, by the relation's id, and by its type. The whole file is "". */
  pathsOf(path: string): Map<string, string[]> {
    const paths = new Map<string, string[]>();
    this.read(path.replace(/(?<![^/])[^/]*$/, "_rels/$&.rels"), {
      open: (_, { Id: id = "", Type: type = "", Target: target = "" }) => {
        if (!URL.canParse(target, `file:///${path}`)) return;
        const resolved = decodeURI(new URL(target, `file:///${path}`).pathname).slice(1);
        for (const key of [id, type.slice(type.lastIndexOf("/") + 1)]) {
          const known = paths.get(key) ?? [];
          known.push(resolved);
          paths.set(key, known);
        }
      },
    });
    return paths;
  }
}

/** Producers write "on" in several ways. */
export const isOn = (value: string | undefined) => value === "1" || value === "true" || value === "on";

const local = (name: string) => name.slice(name.indexOf(":") + 1);

function withoutPrefixes(attributes: Attributes): Attributes {
  for (const name in attributes) if (name.includes(":")) attributes[local(name)] ??= attributes[name];
  return attributes;
}

const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const entryBytes = 46;

/**
 * The files of an archive by their names, in lower case since producers disagree on it. A call unpacks a file. Throws
 * unless the archive's directory is valid, within the limits, and states the true size of the file.
 */
function unzip(bytes: Buffer): Map<string, () => Buffer> {
  const files = new Map<string, () => Buffer>();
  const end = bytes.lastIndexOf("PK\x05\x06");
  refuseUnless(end >= 0);
  const count = bytes.readUInt16LE(end + 10);
  if (count > limits.entries) throw new UnreadableFile("tooLarge");
  let total = 0;
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    refuseUnless(bytes.readUInt32LE(at) === entrySignature);
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const local = bytes.readUInt32LE(at + 42);
    const nameEnd = at + entryBytes + bytes.readUInt16LE(at + 28);
    const name = bytes
      .toString("utf8", at + entryBytes, nameEnd)
      .replaceAll("\\", "/")
      .toLowerCase();
    if (flags & 1) throw new UnreadableFile("encrypted");
    total += unpacked;
    if (unpacked > limits.entryBytes || total > limits.unpackedBytes) throw new UnreadableFile("tooLarge");
    // Files are never written to disk, but a name outside the archive shows that it is malicious.
    const isOutside = /^\/|^[a-z]:|\0/.test(name) || name.split("/").includes("..");
    refuseUnless((method === 0 || method === 8) && !files.has(name) && !isOutside);
    files.set(name, () => {
      refuseUnless(bytes.readUInt32LE(local) === localSignature);
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const data = bytes.subarray(start, start + packed);
      const file = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, unpacked) });
      refuseUnless(file.length === unpacked);
      return file;
    });
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

function refuseUnless(holds: boolean): void {
  if (!holds) throw new UnreadableFile("damaged");
}
