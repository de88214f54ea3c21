// The parts of an Office file: an archive of XML files that refer to each other by relations.
import { SaxesParser } from "saxes";
import { UnreadableFile } from "../file-content.ts";
import { utf16Of } from "./decode.ts";
import { unzip } from "./zip.ts";

export type Attributes = Record<string, string | undefined>;
/** Names of elements and attributes have no prefix. */
export interface Handlers {
  open?: (name: string, attributes: Attributes) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

interface Relation {
  type: string;
  path: string;
}

const chunkBytes = 65_536;

export class OfficeFile {
  readonly #parts: Map<string, () => Buffer>;

  constructor(bytes: Buffer) {
    // An encrypted file is in a container of another format.
    if (bytes.toString("latin1", 0, 4) === "\xd0\xcf\x11\xe0") throw new UnreadableFile("encrypted");
    this.#parts = unzip(bytes);
  }

  /** Reads a part, if there is one. Entities that a part declares stay as they are. Most faults are ignored, as in Office. */
  read(path: string, { open, close, text }: Handlers): void {
    const bytes = this.#parts.get(path.toLowerCase())?.();
    if (!bytes) return;
    const parser = new SaxesParser({ position: false });
    parser.on("error", ({ message }) => {
      if (/^unclosed tag|^unexpected end/.test(message)) throw new UnreadableFile("damaged");
    });
    parser.on("opentag", ({ name, attributes }) => open?.(local(name), withoutPrefixes(attributes as Attributes)));
    parser.on("closetag", ({ name }) => close?.(local(name)));
    if (text) {
      parser.on("text", text);
      parser.on("cdata", text);
    }
    const decoder = new TextDecoder(utf16Of(bytes) ?? "utf-8");
    for (let at = 0; at < bytes.length; at += chunkBytes)
      parser.write(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }));
    parser.close();
  }

  /** The main part, such as xl/workbook.xml. */
  get main(): string {
    const relation = [...this.relationsOf("").values()].find(({ type }) => type === "officeDocument");
    if (!relation || !this.#parts.has(relation.path.toLowerCase())) throw new UnreadableFile("damaged");
    return relation.path;
  }

  /** The relations of a part, by id. Relations of the whole file: "". */
  relationsOf(path: string): Map<string, Relation> {
    const relations = new Map<string, Relation>();
    this.read(path.replace(/[^/]*$/, "_rels/$&.rels"), {
      open: (_, { Id: id, Type: type = "", Target: target = "" }) => {
        if (id) relations.set(id, { type: type.replace(/.*\//, ""), path: resolved(path, target) });
      },
    });
    return relations;
  }
}

/** Attribute "on" or "off": producers write it in several ways. */
export const isOn = (value: string | undefined) => value !== undefined && /^(?:1|true|on)$/.test(value);

const local = (name: string) => name.slice(name.indexOf(":") + 1);

function withoutPrefixes(attributes: Attributes): Attributes {
  for (const name in attributes) if (name.includes(":")) attributes[local(name)] ??= attributes[name];
  return attributes;
}

const resolved = (from: string, target: string) =>
  URL.canParse(target, `file:///${from}`) ? decodeURI(new URL(target, `file:///${from}`).pathname).slice(1) : "";
