// Parses XML into a tree, and prints a tree. Malformed XML is refused. So is a DOCTYPE, which could define entities
// that expand without limit.
import { SaxesParser } from "saxes";
import { ApiError, invalidField } from "../errors.ts";

export interface XmlElement {
  name: string;
  attributes: [name: string, value: string][];
  children: XmlNode[];
}
/** A string is text; two strings are never adjacent. */
export type XmlNode = string | XmlElement;

/** Levels of nested elements. Code that reads a tree is often recursive. */
const depthMax = 256;

/**
 * Parses a fragment, or a document if the text begins with an XML declaration. `count` is called for each node and
 * attribute, and can throw to stop the parser. Throws INVALID_ARGUMENT if the XML is malformed.
 */
export function parseXml(text: string, count: () => void): XmlNode[] {
  const isDocument = text.startsWith("<?xml ");
  const parser = new SaxesParser({ position: true, forceXMLVersion: true, defaultXMLVersion: "1.0" });
  const top: XmlElement = { name: "", attributes: [], children: [] };
  const open = [top];
  // The root, and the element that wraps a fragment.
  const levelsAround = isDocument ? 1 : 2;
  let attributes: XmlElement["attributes"] = [];
  const add = (node: XmlNode) => {
    const { children } = open.at(-1) as XmlElement;
    const last = children.at(-1);
    if (typeof node === "string" && typeof last === "string") children[children.length - 1] = last + node;
    else {
      count();
      children.push(node);
    }
  };
  const addText = (content: string) => {
    // Outside a document's root, XML allows only white space. It is not content.
    if (content !== "" && open.length > 1) add(content);
  };
  parser.on("doctype", () => {
    throw new Error("DOCTYPE");
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("attribute", ({ name, value }) => {
    count();
    attributes.push([name, value]);
  });
  parser.on("opentag", ({ name, isSelfClosing }) => {
    if (open.length - levelsAround >= depthMax)
      throw invalidField(["data"], `Is nested more than ${depthMax} levels deep.`);
    const element = { name, attributes, children: [] };
    attributes = [];
    const [, unit] = isSelfClosing ? (/^char\.([\dA-F]{4})$/.exec(name) ?? []) : [];
    if (unit === undefined) add(element);
    else addText(String.fromCharCode(Number.parseInt(unit, 16)));
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  try {
    // A fragment is wrapped in an element: there, a DOCTYPE, a declaration and an early closing tag are errors.
    if (isDocument) parser.write(text).close();
    else parser.write("<_>").write(text).write("</_>").close();
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw invalidField(["data"], `Is malformed XML or has a DOCTYPE: see line ${parser.line}.`);
  }
  return isDocument ? top.children : (top.children[0] as XmlElement).children;
}

/** A longer text fits no reply. */
const printedMax = 6 * 1_024 * 1_024;

/** Prints a tree as text. Parsing that text returns the same tree. Throws when the text is longer than 6 MB. */
export function printXml(nodes: readonly XmlNode[]): string {
  const parts: string[] = [];
  let length = 0;
  const add = (part: string) => {
    length += part.length;
    if (length > printedMax) throw new Error("The content is longer than 6 MB as XML.");
    parts.push(part);
  };
  for (const node of nodes) print(node, add);
  return parts.join("");
}

const printText = (text: string) => escaped(text, /[&<>\r]/g).replace(forbidden, (unit) => `<char.${hexOf(unit)}/>`);

function print(node: XmlNode, add: (part: string) => void): void {
  if (typeof node === "string") {
    add(printText(node));
    return;
  }
  const { name, attributes, children } = node;
  const start = [name, ...attributes.map(([key, value]) => `${key}=${quoted(value)}`)].join(" ");
  if (children.length === 0) {
    add(`<${start}/>`);
    return;
  }
  add(`<${start}>`);
  for (const child of children) print(child, add);
  add(`</${name}>`);
}

/** White space is escaped: a parser would normalise it. */
function quoted(value: string): string {
  const isJson = value.includes('"') && !value.includes("'");
  return isJson ? `'${escaped(value, /[&<\t\n\r]/g)}'` : `"${escaped(value, /[&<"\t\n\r]/g)}"`;
}

/** XML has no form for these characters and for half a surrogate pair. An editor can have them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
export const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const escaped = (text: string, special: RegExp) =>
  text.replace(special, (character) => `&#${character.charCodeAt(0)};`);

/** The code of a UTF-16 unit, with four digits. */
export const hexOf = (unit: string): string => unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
