// Marks, such as bold: elements in XML, and the formatting of a Y.XmlText for editors (DECISIONS.md#crdt-xml).
import type { XmlElement, XmlNode } from "./xml.ts";

/** The marks of ProseMirror's and Tiptap's schemas. If either of two could be outside, the earlier one is. */
const markNames = [
  ...["link", "textStyle", "highlight", "bold", "strong", "italic", "em", "underline", "strike"],
  ...["subscript", "superscript", "code"],
];
const marks = new Set(markNames);

/** A text with one formatting, as in a Yjs delta. */
export interface Piece {
  insert: string;
  attributes?: Record<string, unknown>;
}

/** The children of a parent: elements, and for each run of text and marks the pieces of one Y.XmlText. */
type Child = XmlElement | Piece[];

/** Whether the node is formatting: a mark that holds text and marks only. An empty one formats nothing. */
function isMark(node: XmlNode): node is XmlElement {
  if (typeof node === "string" || !marks.has(node.name) || node.children.length === 0) return false;
  return node.children.every((child) => typeof child === "string" || isMark(child));
}

export function childrenOf(nodes: readonly XmlNode[]): Child[] {
  const children: Child[] = [];
  for (const node of nodes) {
    const last = children.at(-1);
    if (typeof node !== "string" && !isMark(node)) children.push(node);
    else if (Array.isArray(last)) last.push(...piecesOf(node, {}));
    else children.push(piecesOf(node, {}));
  }
  return children.map((child) => (Array.isArray(child) ? joined(child) : child));
}

/** Joins pieces with the same formatting: each change of the formatting takes room in the update. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: (Piece & { identity: string })[] = [];
  for (const { insert, attributes = {} } of pieces) {
    const identity = JSON.stringify(Object.entries(attributes).sort(byName));
    const last = result.at(-1);
    if (last?.identity === identity) last.insert += insert;
    else result.push({ insert, attributes, identity });
  }
  return result.map(({ insert, attributes = {} }) => ({ insert, attributes }));
}

function piecesOf(node: XmlNode, outside: Record<string, unknown>): Piece[] {
  if (typeof node === "string") return [{ insert: node, attributes: outside }];
  const attributes = { ...outside, [node.name]: attributesOf(node) };
  return node.children.flatMap((child) => piecesOf(child, attributes));
}

function attributesOf({ attributes }: XmlElement): Record<string, AttributeValue> {
  return Object.fromEntries(attributes.map(([name, text]) => [name, typedValue(name, text)]));
}

/** Names that XML can have. A mark with another name cannot be shown. */
const nameForm = /^[\p{L}_][\p{L}\p{N}_.:-]*$/u;

interface Formatted {
  text: string;
  /** An element for each mark, and a text that tells it from another element of that name. */
  marks: Map<string, { attributes: XmlElement["attributes"]; identity: string }>;
}

/** The nodes that show the pieces. The same formatting always has the same nodes. */
export function nodesOf(pieces: readonly Piece[]): XmlNode[] {
  return nested(
    pieces.map(({ insert, attributes = {} }) => ({ text: insert, marks: new Map(marksOf(attributes)) })),
    new Set(),
  );
}

function* marksOf(
  formatting: Record<string, unknown>,
): Generator<[string, { attributes: XmlElement["attributes"]; identity: string }]> {
  for (const [name, value] of Object.entries(formatting)) {
    if (value === null || !nameForm.test(name)) continue;
    const given = typeof value === "object" ? Object.entries(value as object) : [];
    const attributes = given.flatMap(([key, each]): [string, string][] => {
      const text = attributeText(each);
      return text === undefined || !nameForm.test(key) ? [] : [[key, text]];
    });
    yield [name, { attributes, identity: JSON.stringify([...attributes].sort(byName)) }];
  }
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

/** The mark that holds for the most pieces is outside. `open`: the marks around these pieces. */
function nested(pieces: readonly Formatted[], open: ReadonlySet<string>): XmlNode[] {
  const nodes: XmlNode[] = [];
  for (let start = 0; start < pieces.length; ) {
    const piece = pieces[start] as Formatted;
    const [outside] = [...piece.marks.keys()]
      .filter((name) => !open.has(name))
      .map((name) => ({ name, end: endOf(pieces, start, name) }))
      .sort(
        (one, other) => other.end - one.end || rank(one.name) - rank(other.name) || (one.name < other.name ? -1 : 1),
      );
    if (outside) {
      const { name, end } = outside;
      const children = nested(pieces.slice(start, end), new Set([...open, name]));
      nodes.push({ name, attributes: piece.marks.get(name)?.attributes ?? [], children });
      start = end;
      continue;
    }
    const last = nodes.at(-1);
    if (typeof last === "string") nodes[nodes.length - 1] = last + piece.text;
    else nodes.push(piece.text);
    start += 1;
  }
  return nodes;
}

function endOf(pieces: readonly Formatted[], start: number, name: string): number {
  const identity = pieces[start]?.marks.get(name)?.identity;
  let end = start + 1;
  while (end < pieces.length && pieces[end]?.marks.get(name)?.identity === identity) end += 1;
  return end;
}

const rank = (name: string) => {
  const index = markNames.indexOf(name);
  return index < 0 ? markNames.length : index;
};

/** Attributes whose values are always text. */
const textual = new Set(["href", "src", "id", "title", "alt", "class", "style", "language"]);

type AttributeValue = string | number | boolean;

/** The value of an attribute in XML: `true`, `false` and whole numbers in their usual form are no text. */
export function typedValue(name: string, text: string): AttributeValue {
  if (textual.has(name)) return text;
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

/** The text in XML; undefined for an attribute that has no value. */
export function attributeText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
